//! Programs that run another one out of a package, or in the environment of a project.

use super::{Inner, Wrapper, wrap};

const UV: &str = "--with --with-requirements --with-editable --python -p --extra --no-extra --group --only-group --no-group --package --directory --project --env-file --index --default-index --index-url -i --extra-index-url --find-links -f --cache-dir --config-file --refresh-package --upgrade-package -P --reinstall-package --resolution --prerelease --color --python-platform --index-strategy --keyring-provider --link-mode --allow-insecure-host --config-setting -C --exclude-newer --from";

pub(super) static ROWS: &[Wrapper] = &[
    wrap("guix", "", &["guix shell x -- rm -rf /"]).sub("shell|environment").inner(Inner::Dashes),
    wrap("devbox", "-c --config -e --env", &["devbox run -- rm -rf /"]).sub("run"),
    wrap("sops", "--config --background --user --no-fifo --output-type --input-type", &["sops exec-env s.yaml 'rm -rf /'", "sops exec-file s.yaml 'rm -rf / {}'"])
        .sub("exec-env|exec-file")
        .skip(1)
        .inner(Inner::Shell),
    wrap("cross-env", "", &["cross-env A=1 rm -rf /"]),
    wrap("dotenv", "-f -e", &["dotenv rm -rf /", "dotenv -- rm -rf /"]),
    wrap("dotenvx", "-f", &["dotenvx run -- rm -rf /"]).sub("run"),
    wrap("op", "--env-file", &["op run -- rm -rf /"]).sub("run"),
    wrap("doppler", "-p -c --project --config --command", &["doppler run -- rm -rf /", "doppler run --command='rm -rf /'"]).text("--command").sub("run"),
    wrap("infisical", "--env", &["infisical run -- rm -rf /"]).sub("run"),
    wrap("aws-vault", "", &["aws-vault exec prod -- rm -rf /"]).sub("exec").skip(1),
    wrap("direnv", "", &["direnv exec . rm -rf /"]).sub("exec").skip(1),
    wrap("mise", "-C --cd -E --env -j --jobs -c --command", &["mise exec -- rm -rf /", "mise x node@20 -- rm -rf /", "mise x -c 'rm -rf /'"])
        .sub("exec|x")
        .text("-c|--command")
        .inner(Inner::Dashes),
    wrap("tox", "-e -c --conf --workdir --root", &["tox exec -e py -- rm -rf /"]).sub("exec|e").inner(Inner::Dashes),
    wrap("lerna", "--scope --ignore --concurrency --since", &["lerna exec -- rm -rf /", "lerna exec rm -rf /"]).sub("exec"),
    wrap("nx", "", &["nx exec -- rm -rf /"]).sub("exec"),
    wrap("rbenv", "", &["rbenv exec rm -rf /"]).sub("exec"),
    wrap("pyenv", "", &["pyenv exec rm -rf /"]).sub("exec"),
    wrap("nodenv", "", &["nodenv exec rm -rf /"]).sub("exec"),
    wrap("jenv", "", &["jenv exec rm -rf /"]).sub("exec"),
    wrap("rvm", "", &["rvm do rm -rf /", "rvm 3.3 do rm -rf /"]).sub("do|exec|* do"),
    wrap("asdf", "", &["asdf exec rm -rf /"]).sub("exec"),
    wrap("volta", "--node", &["volta run rm -rf /"]).sub("run"),
    wrap("fnm", "--using", &["fnm exec rm -rf /"]).sub("exec"),
    wrap("nvm", "", &["nvm exec 20 rm -rf /"]).sub("exec|run").skip(1),
    wrap("poetry", "-C -P --directory --project", &["poetry run rm -rf /"]).sub("run"),
    wrap("uv", UV, &["uv run rm -rf /", "uv run --with x --no-sync rm -rf /", "uv tool run --from x rm -rf /"])
        .sub("run|tool run"),
    wrap("uvx", UV, &["uvx rimraf /"]),
    wrap("pipx", "--spec --python", &["pipx run rimraf /"]).sub("run"),
    wrap("pipenv", "", &["pipenv run rm -rf /"]).sub("run"),
    wrap("pdm", "-p -c --project --config -L --lockfile", &["pdm run rm -rf /"]).sub("run"),
    wrap("hatch", "-e -p --env --project --data-dir --cache-dir --config", &["hatch run rm -rf /"]).sub("run"),
    wrap("rye", "", &["rye run rm -rf /"]).sub("run"),
    wrap("pixi", "-e --environment --manifest-path --color", &["pixi run rm -rf /"]).sub("run"),
    wrap("conda", "-n -p --name --prefix --cwd", &["conda run -n x rm -rf /"]).sub("run"),
    wrap("mamba", "-n -p --name --prefix", &["mamba run -n x rm -rf /"]).sub("run"),
    wrap("micromamba", "-n -p", &["micromamba run -n x rm -rf /"]).sub("run"),
    wrap("bundle", "--gemfile", &["bundle exec rm -rf /"]).sub("exec"),
    wrap("npx", "-p --package -c --call -w --workspace --prefix --cache --registry --userconfig", &["npx rimraf /", "npx -y rimraf /", "npx -yc 'rm -rf /'"])
        .flags("-y --yes --no -q --quiet --no-install --ignore-existing --prefer-offline --offline -ws --workspaces")
        .text("-c|--call"),
    wrap("shx", "", &["shx rm -rf /", "npx shx rm -rf /"]),
    wrap("bunx", "", &["bunx rimraf /"]),
    wrap("pnpx", "--package", &["pnpx rimraf /", "pnpx -c 'rm -rf /'"]).flags("-c --shell-mode --silent"),
    wrap("npm", "-p --package --prefix -w --workspace -c --call -C", &["npm exec rimraf /", "npm exec -- rimraf /", "npm x --call='rm -rf /'", "npm explore x -- rm -rf /"])
        .flags("-y --yes -ws --workspaces")
        .text("-c|--call")
        .sub("exec|x|explore *"),
    wrap("pnpm", "-C --dir --filter -F --package", &["pnpm exec rimraf /", "pnpm -r exec rimraf /", "pnpm exec -c 'rm -rf /'"])
        .flags("-r -c --recursive --parallel --shell-mode -w --workspace-root --silent")
        .sub("exec|dlx"),
    wrap("yarn", "--cwd -p --package", &["yarn exec rimraf /", "yarn dlx -p x rimraf /", "yarn workspace x exec rm -rf /", "yarn workspaces foreach -A exec rm -rf /", "yarn -s exec 'rm -rf /'"])
        .flags("-s --silent -q --quiet -A --all -W -v -i -t -R --parallel --recursive --worktree --verbose --interlaced --topological")
        .sub("exec|dlx|workspace * exec|workspace * dlx|workspaces foreach exec"),
    wrap("bun", "", &["bun x rimraf /"]).sub("x"),
    wrap("xcrun", "--sdk", &["xcrun rm -rf /"]),
    wrap("rtk", "", &["rtk rm -rf /"]),
    wrap("nix-shell", "-p -I -i -A --run --command --packages --attr --arg:2 --argstr:2 --keep --option:2", &["nix-shell --run 'rm -rf /'", "nix-shell -p x --command='rm -rf /'"])
        .flags("--pure --impure")
        .text("--run|--command")
        .inner(Inner::Option),
    wrap("nix", "", &["nix develop -c rm -rf /", "nix shell nixpkgs#x --command rm -rf /"])
        .sub("develop|shell"),
];
