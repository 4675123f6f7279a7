//! Building, testing, linting, formatting.

use super::row::{Operands, Program, builds, change, look, prints, reads, unsure, writes};
use super::special;
use crate::guard::RuleId;

pub(super) static PROGRAMS: &[Program] = &[
    builds("cargo", &["cargo build", "cargo test -- --nocapture", "cargo fmt"])
        .values("-p --package --bin --example --features --target --manifest-path -j --profile")
        .outputs("--target-dir")
        .special(special::cargo)
        .subs(&[
            look("tree|metadata|search|version|pkgid|locate-project|help|info|read-manifest"),
            super::row::careful("publish", "", RuleId::Publish),
            super::row::careful("yank", "", RuleId::Publish),
            super::row::careful("owner", "", RuleId::Publish),
        ])
        .not(&["cargo tree", "cargo metadata", "cargo publish", "echo cargo build"]),
    builds("rustc", &["rustc a.rs"]).values("--edition --crate-type --crate-name -C -L --emit --cfg").outputs("-o --out-dir").not(&["echo rustc"]),
    writes("rustfmt", Operands::Write, &["rustfmt a.rs"])
        .values("--edition --config --config-path")
        .special(special::check_only)
        .not(&["rustfmt --check a.rs"]),
    writes("rustup", Operands::Ignore, &["rustup target add x"])
        .online()
        .subs(&[look("show|which|check; component|target|toolchain list")])
        .not(&["rustup show"]),
    builds("clippy-driver", &["clippy-driver a.rs"]).not(&["echo clippy-driver"]),
    builds("go", &["go build ./...", "go test ./..."])
        .values("-run -C -tags")
        .special(special::go)
        .outputs("-o -coverprofile -cpuprofile -memprofile -trace")
        .subs(&[
            look("list|env|version|doc|vet|help"),
            look("mod graph|why|verify"),
            change("mod *"),
            unsure("*"),
        ])
        .not(&["go list ./...", "go version", "echo go build"]),
    writes("gofmt", Operands::Write, &["gofmt -w a.go"]).special(special::gofmt).not(&["gofmt -l ."]),
    writes("goimports", Operands::Write, &["goimports -w a.go"])
        .special(special::gofmt)
        .not(&["goimports -l ."]),
    builds("golangci-lint", &["golangci-lint run"]).not(&["echo golangci-lint"]),
    builds("gcc", &["gcc -o a a.c"]).outputs("-o").inputs("-I").not(&["echo gcc"]),
    builds("g++", &["g++ -o a a.cc"]).outputs("-o").not(&["echo g++"]),
    builds("cc", &["cc -o a a.c"]).outputs("-o").not(&["echo cc"]),
    builds("clang", &["clang -o a a.c"]).outputs("-o").not(&["echo clang"]),
    builds("clang++", &["clang++ -o a a.cc"]).outputs("-o").not(&["echo clang++"]),
    writes("clang-format", Operands::Read, &["clang-format -i a.c"])
        .special(special::clang_format)
        .not(&["clang-format a.c"]),
    builds("clang-tidy", &["clang-tidy a.c"]).not(&["echo clang-tidy"]),
    builds("ld", &["ld -o a a.o"]).outputs("-o").not(&["echo ld"]),
    reads("nm", &["nm a.o"]).not(&["nm a > b"]),
    reads("objdump", &["objdump -d a"]).not(&["objdump a > b"]),
    reads("readelf", &["readelf -a a"]).not(&["readelf a > b"]),
    reads("ldd", &["ldd a"]).not(&["ldd a > b"]),
    reads("size", &["size a"]).not(&["size a > b"]),
    writes("strip", Operands::Write, &["strip a"]).not(&["echo strip a"]),
    writes("objcopy", Operands::Copy, &["objcopy a b"]).values("-I -O -B -j -R -S").special(special::in_place_alone).not(&["echo objcopy a"]),
    writes("patchelf", Operands::Write, &["patchelf --set-rpath x a"])
        .values("--set-rpath --add-rpath --set-interpreter --replace-needed --add-needed --remove-needed --set-soname")
        .outputs("--output")
        .special(special::patchelf)
        .not(&["patchelf --print-rpath a"]),
    builds("cmake", &["cmake -B build", "cmake --build build"])
        .values("-S -G -D -C -j --build --target --install --config --component --preset -A -T")
        .outputs("-B --prefix")
        .special(special::cmake)
        .not(&["echo cmake", "cmake -E cat a"]),
    builds("ctest", &["ctest"]).not(&["echo ctest"]),
    builds("ninja", &["ninja -C build"]).not(&["echo ninja"]),
    builds("meson", &["meson setup build", "meson compile -C build"]).special(special::meson).not(&["echo meson"]),
    builds("bazel", &["bazel build //..."])
        .subs(&[look("version")])
        .not(&["bazel version"]),
    builds("buck2", &["buck2 build //..."]).not(&["echo buck2"]),
    builds("scons", &["scons"]).not(&["echo scons"]),
    builds("configure", &["./configure"]).not(&["echo configure"]),
    builds("autoreconf", &["autoreconf -i"]).not(&["echo autoreconf"]),
    builds("task", &["task build"]).not(&["echo task"]),
    builds("rake", &["rake test"]).special(special::rails).not(&["echo rake"]),
    builds("rails", &["rails test"]).special(special::rails).not(&["echo rails"]),
    builds("bin/rails", &["rails test"]).special(special::rails).not(&["echo rails"]),
    builds("rspec", &["rspec spec"]).not(&["echo rspec"]),
    builds("rubocop", &["rubocop -a"]).not(&["echo rubocop"]),
    builds("javac", &["javac A.java"]).not(&["echo javac"]),
    builds("java", &["java -jar a.jar"])
        .values("-cp -jar -classpath")
        .subs(&[look("-version")])
        .not(&["echo java"]),
    builds("kotlinc", &["kotlinc a.kt"]).not(&["echo kotlinc"]),
    builds("mvn", &["mvn test"]).not(&["echo mvn"]),
    builds("mvnw", &["./mvnw test"]).not(&["echo mvnw"]),
    builds("gradle", &["gradle build"]).not(&["echo gradle"]),
    builds("gradlew", &["./gradlew build"]).not(&["echo gradlew"]),
    builds("ant", &["ant"]).not(&["echo ant"]),
    builds("sbt", &["sbt test"]).not(&["echo sbt"]),
    builds("dotnet", &["dotnet build"])
        .special(special::dotnet)
        .subs(&[look("--info|--version|--list-sdks")])
        .not(&["echo dotnet"]),
    builds("msbuild", &["msbuild a.sln"]).not(&["echo msbuild"]),
    builds("swift", &["swift build"]).not(&["echo swift"]),
    builds("xcodebuild", &["xcodebuild test"]).not(&["echo xcodebuild"]),
    builds("flutter", &["flutter test"]).not(&["echo flutter"]),
    builds("dart", &["dart test"]).not(&["echo dart"]),
    builds("mix", &["mix test"]).special(special::rails).not(&["echo mix"]),
    builds("elixir", &["elixir a.exs"]).not(&["echo elixir"]),
    builds("stack", &["stack build"]).not(&["echo stack"]),
    builds("cabal", &["cabal build"]).not(&["echo cabal"]),
    builds("ghc", &["ghc a.hs"]).not(&["echo ghc"]),
    builds("zig", &["zig build"]).not(&["echo zig"]),
    builds("nim", &["nim c a.nim"]).not(&["echo nim"]),
    builds("tsc", &["tsc -p ."])
        .values("-p --project")
        .outputs("--outDir --outFile --declarationDir --tsBuildInfoFile")
        .special(special::tsc)
        .not(&["tsc --noEmit", "echo tsc"]),
    reads("eslint", &["eslint src"])
        .values("-c --ext --config -f --format --rule")
        .outputs("-o --output-file")
        .special(special::fixer)
        .not(&["eslint --fix src"]),
    reads("prettier", &["prettier --check ."])
        .values("--config --parser")
        .special(special::fixer)
        .not(&["prettier --write ."]),
    reads("biome", &["biome check src"]).special(special::fixer).not(&["biome check --write src"]),
    reads("oxlint", &["oxlint src"]).special(special::fixer).not(&["oxlint --fix src"]),
    reads("stylelint", &["stylelint a.css"]).special(special::fixer).not(&["stylelint --fix a.css"]),
    reads("markdownlint", &["markdownlint a.md"]).special(special::fixer).not(&["markdownlint --fix a.md"]),
    reads("ruff", &["ruff check ."]).special(special::ruff).not(&["ruff check --fix .", "ruff format ."]),
    writes("black", Operands::Write, &["black src"])
        .values("-l --line-length -t")
        .special(special::check_only)
        .not(&["black --check src"]),
    writes("isort", Operands::Write, &["isort src"])
        .special(special::check_only)
        .not(&["isort --check-only src"]),
    writes("autopep8", Operands::Write, &["autopep8 -i a.py"]).not(&["echo autopep8"]),
    reads("flake8", &["flake8 src"]).not(&["flake8 > f"]),
    reads("pylint", &["pylint src"]).not(&["pylint a > f"]),
    builds("mypy", &["mypy src"]).values("-m -p --config-file").not(&["mypy --version"]),
    reads("pyright", &["pyright src"]).not(&["pyright > f"]),
    reads("bandit", &["bandit -r src"]).not(&["bandit > f"]),
    reads("shellcheck", &["shellcheck a.sh"]).values("-s -e -f").not(&["shellcheck a > f"]),
    reads("hadolint", &["hadolint Dockerfile"]).not(&["hadolint a > f"]),
    reads("yamllint", &["yamllint a.yml"]).not(&["yamllint a > f"]),
    reads("actionlint", &["actionlint"]).not(&["actionlint > f"]),
    reads("semgrep", &["semgrep --config auto"]).not(&["semgrep > f"]),
    writes("shfmt", Operands::Read, &["shfmt -w a.sh"]).special(special::gofmt).not(&["shfmt -d a.sh"]),
    builds("pytest", &["pytest -x tests"]).not(&["echo pytest"]),
    builds("tox", &["tox"]).not(&["echo tox"]),
    builds("nox", &["nox"]).not(&["echo nox"]),
    builds("coverage", &["coverage run x"]).subs(&[look("report")]).not(&["coverage report"]),
    builds("unittest", &["python -m unittest"]).not(&["echo unittest"]),
    builds("jest", &["jest"]).not(&["echo jest"]),
    builds("vitest", &["vitest run"]).not(&["echo vitest"]),
    builds("mocha", &["mocha"]).not(&["echo mocha"]),
    builds("playwright", &["playwright test"]).not(&["echo playwright"]),
    builds("cypress", &["cypress run"]).not(&["echo cypress"]),
    builds("phpunit", &["phpunit"]).not(&["echo phpunit"]),
    builds("vite", &["vite build"]).not(&["echo vite"]),
    builds("next", &["next build"]).not(&["echo next"]),
    builds("webpack", &["webpack"]).not(&["echo webpack"]),
    builds("rollup", &["rollup -c"]).not(&["echo rollup"]),
    builds("esbuild", &["esbuild a.ts"]).outputs("--outfile --outdir --metafile").not(&["echo esbuild"]),
    builds("turbo", &["turbo run build"]).not(&["echo turbo"]),
    builds("nx", &["nx build app"]).not(&["echo nx"]),
    builds("lerna", &["lerna bootstrap"]).not(&["echo lerna"]),
    builds("storybook", &["storybook build"]).not(&["echo storybook"]),
    builds("uvicorn", &["uvicorn app:app"]).not(&["echo uvicorn"]),
    builds("gunicorn", &["gunicorn app:app"]).not(&["echo gunicorn"]),
    builds("flask", &["flask run"]).not(&["echo flask"]),
    builds("django-admin", &["django-admin startproject x"])
        .special(special::django)
        .not(&["echo django-admin"]),
    builds("manage.py", &["./manage.py migrate"]).special(special::django).not(&["echo manage.py"]),
    builds("alembic", &["alembic upgrade head"])
        .special(special::migrations)
        .subs(&[look("history|current|heads")])
        .not(&["alembic history"]),
    builds("prisma", &["prisma generate"]).special(special::migrations).not(&["echo prisma"]),
    builds("knex", &["knex migrate:latest"]).special(special::migrations).not(&["echo knex"]),
    builds("sequelize", &["sequelize db:migrate"]).special(special::migrations).not(&["echo sequelize"]),
    builds("sequelize-cli", &["sequelize-cli db:migrate"])
        .special(special::migrations)
        .not(&["echo sequelize-cli"]),
    builds("typeorm", &["typeorm migration:run"]).special(special::migrations).not(&["echo typeorm"]),
    builds("drizzle-kit", &["drizzle-kit generate"]).special(special::migrations).not(&["echo drizzle-kit"]),
    builds("artisan", &["./artisan migrate"]).special(special::migrations).not(&["echo artisan"]),
    builds("supabase", &["supabase start"])
        .special(special::migrations)
        .subs(&[super::row::risky("projects delete", "", RuleId::CloudDelete)])
        .not(&["echo supabase"]),
    builds("protoc", &["protoc a.proto"]).special(special::protoc).not(&["echo protoc"]),
    builds("buf", &["buf generate"]).not(&["echo buf"]),
    builds("jupyter", &["jupyter nbconvert a.ipynb"]).not(&["echo jupyter"]),
    prints("gdb", &["gdb --version"]).special(special::debugger).not(&["gdb > f"]),
    prints("lldb", &["lldb --version"]).special(special::debugger).not(&["lldb > f"]),
    builds("gcore", &["gcore 1234"]).values("-o").not(&["echo gcore"]),
    builds("procdump", &["procdump -p 1234"]).not(&["echo procdump"]),
    builds("codesign", &["codesign -s x a"]).not(&["echo codesign"]),
    writes("changeset", Operands::Ignore, &["changeset add"])
        .subs(&[super::row::careful("publish", "", RuleId::Publish)])
        .not(&["echo changeset"]),
    writes("semantic-release", Operands::Ignore, &["semantic-release"])
        .risk(RuleId::Publish)
        .not(&["echo semantic-release"]),
    writes("goreleaser", Operands::Ignore, &["goreleaser release"]).risk(RuleId::Publish).not(&["echo goreleaser"]),
];
