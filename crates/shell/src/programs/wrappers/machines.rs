//! Programs that run commands in a container, or on another machine.

use super::{Inner, Wrapper, wrap};
use crate::reading::Site;

const SSH: &str = "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w";
const SSH_FLAGS: &str = "-1 -2 -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y";
const PSSH: &str = "-h -H -l -p -o -e -t -O -x --hosts --host --user --par --outdir --errdir --timeout --options --extra-args";
const PSSH_FLAGS: &str = "-v -A -i -P -I --verbose --askpass --inline --inline-stdout --print --send-input";
const DOCKER_RUN: &str = "-v --volume -e --env -p --publish --name -w --workdir -u --user --network --net --mount --entrypoint -m --memory --cpus --platform -l --label --env-file --add-host --gpus --restart --hostname -h --cap-add --cap-drop --device --tmpfs --shm-size --ulimit --log-driver --log-opt --pull --security-opt --dns --ip --ipc --pid --runtime --stop-signal --volumes-from --expose -a --attach --cidfile --cpuset-cpus --health-cmd --userns -f --file --project-name --profile --index --detach-keys -c --cpu-shares --annotation --blkio-weight --cgroup-parent --cgroupns --cpu-period --cpu-quota --cpuset-mems --device-cgroup-rule --dns-option --dns-search --domainname --group-add --health-interval --health-retries --health-timeout --health-start-period --ip6 --isolation --kernel-memory --label-file --link --link-local-ip --mac-address --memory-reservation --memory-swap --memory-swappiness --network-alias --net-alias --oom-score-adj --pids-limit --stop-timeout --storage-opt --sysctl --uts --volume-driver --context -H --host --config --log-level --connection --url --identity";
const DOCKER_FLAGS: &str = "-d --detach -i --interactive -t --tty -q --quiet -P --publish-all -D --debug --init --no-healthcheck --oom-kill-disable --privileged --read-only --rm --sig-proxy --disable-content-trust --tls --tlsverify -T --no-TTY --no-deps --build --remove-orphans --service-ports --use-aliases";

pub(super) static ROWS: &[Wrapper] = &[
    wrap("distrobox", "-n --name", &["distrobox enter -n x -- rm -rf /"]).sub("enter").inner(Inner::Dashes),
    wrap("wine", "", &["wine rm -rf /"]),
    wrap("wsl", "-d -u --cd --distribution --user -e --exec", &["wsl -d Ubuntu rm -rf /"]),
    wrap("vagrant", "-c --command", &["vagrant ssh -c 'rm -rf /'", "vagrant ssh box -c'rm -rf /'"])
        .sub("ssh")
        .text("-c|--command")
        .inner(Inner::Option)
        .site(Site::Remote),
    wrap(
        "docker",
        DOCKER_RUN,
        &[
            "docker exec web rm -rf /",
            "docker run --rm -v /x:/y alpine rm -rf /",
            "docker container exec web rm -rf /",
            "docker run -itv /x:/y alpine rm -rf /",
            "docker run --rm --entrypoint sh alpine -c 'rm -rf /'",
        ],
    )
    .flags(DOCKER_FLAGS)
    .sub("run|exec|container run|container exec")
    .skip(1)
    .site(Site::Container),
    wrap("podman", DOCKER_RUN, &["podman run --rm alpine rm -rf /"])
        .flags(DOCKER_FLAGS)
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap("nerdctl", DOCKER_RUN, &["nerdctl run alpine rm -rf /"])
        .flags(DOCKER_FLAGS)
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap("docker-compose", DOCKER_RUN, &["docker-compose exec db rm -rf /"])
        .flags(DOCKER_FLAGS)
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap(
        "kubectl",
        "-n --namespace -c --container --context -f",
        &["kubectl exec -it pod -- rm -rf /", "kubectl debug node/x -it --image=alpine -- rm -rf /"],
    )
    .sub("exec|debug|run")
    .inner(Inner::Dashes)
    .site(Site::Container),
    wrap("oc", "-n --namespace -c", &["oc exec pod -- rm -rf /"])
        .sub("exec|rsh")
        .inner(Inner::Dashes)
        .site(Site::Container),
    wrap("lxc", "", &["lxc exec c -- rm -rf /"]).sub("exec").inner(Inner::Dashes).site(Site::Container),
    wrap("incus", "", &["incus exec c -- rm -rf /"]).sub("exec").inner(Inner::Dashes).site(Site::Container),
    wrap(
        "multipass",
        "-d --working-directory",
        &["multipass exec vm -- rm -rf /", "multipass exec vm rm -rf /", "multipass exec -d /x vm -- rm -rf /"],
    )
    .flags("-n --no-map-working-directory -v --verbose")
    .sub("exec")
    .skip(1)
    .site(Site::Container),
    wrap("buildah", "-v --volume -e --env --user --workingdir --cap-add --hostname", &["buildah run c -- rm -rf /"])
        .sub("run")
        .skip(1)
        .site(Site::Container),
    wrap("limactl", "--workdir --shell --log-level", &["limactl shell default rm -rf /"])
        .sub("shell|sh")
        .skip(1)
        .site(Site::Container),
    wrap("lima", "--workdir --shell", &["lima rm -rf /", "lima sudo rm -rf /"]).site(Site::Container),
    wrap("colima", "-p --profile", &["colima ssh -- rm -rf /"]).sub("ssh").site(Site::Container),
    wrap(
        "machinectl",
        "-E --setenv --uid -H --host -M --machine -q",
        &["machinectl shell root@c /bin/rm -rf /"],
    )
    .sub("shell")
    .skip(1)
    .site(Site::Container),
    wrap("podman-compose", DOCKER_RUN, &["podman-compose exec web rm -rf /"])
        .flags(DOCKER_FLAGS)
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap("flatpak", "--branch --arch --command --cwd --env --filesystem --socket --share --device --talk-name", &[
        "flatpak run --command=rm org.x -rf /",
    ])
    .sub("run")
    .skip(1),
    wrap(
        "fly",
        "-a --app -C --command -c --config -o --org -r --region -g --group -s --select -u --user -t --access-token --machine --container",
        &["fly ssh console -C 'rm -rf /'", "fly ssh console -a x --command 'rm -rf /'", "fly -a x ssh console -C 'rm -rf /'"],
    )
    .sub("ssh console|machine exec")
    .text("-C|--command")
    .inner(Inner::Option)
    .site(Site::Remote),
    wrap(
        "flyctl",
        "-a --app -C --command -c --config -o --org -r --region -g --group -u --user -t --access-token --machine --container",
        &["flyctl ssh console -C 'rm -rf /'"],
    )
    .sub("ssh console|machine exec")
    .text("-C|--command")
    .inner(Inner::Option)
    .site(Site::Remote),
    wrap(
        "gcloud",
        "--command --zone --project --region --account --ssh-flag --ssh-key-file --container --configuration --worker",
        &["gcloud compute ssh vm --command='rm -rf /'", "gcloud compute ssh vm --zone z --command 'rm -rf /'"],
    )
    .sub("compute ssh|alpha compute ssh|beta compute ssh|cloud-shell ssh")
    .text("--command")
    .inner(Inner::Dashes)
    .site(Site::Remote),
    wrap(
        "az",
        "-g --resource-group -n --name --command-id --scripts --parameters --ids --subscription -o --output --query --instance-id --exec-command",
        &["az vm run-command invoke -g g -n n --command-id RunShellScript --scripts 'rm -rf /'", "az container exec -g g -n n --exec-command 'rm -rf /'"],
    )
    .sub("vm run-command invoke|vmss run-command invoke|container exec")
    .text("--scripts|--exec-command")
    .inner(Inner::Option)
    .site(Site::Remote),
    wrap(
        "adb",
        "-s -t -H -P -L --user",
        &["adb shell rm -rf /", "adb -s dev shell 'rm -rf /'"],
    )
    .flags("-a -d -e -n -x -T")
    .sub("shell|exec-out")
    .inner(Inner::Shell)
    .site(Site::Remote),
    wrap("heroku", "-a --app", &["heroku run -a x rm -rf /"]).sub("run").site(Site::Remote),
    wrap(
        "ssh",
        SSH,
        &[
            "ssh host rm -rf /",
            "ssh -i k user@host 'rm -rf /'",
            "ssh -tp 22 host rm -rf /",
            "ssh host -p22 -- rm -rf /",
        ],
    )
    .flags(SSH_FLAGS)
    .outputs("-E")
    .skip(1)
    .inner(Inner::Shell)
    .site(Site::Remote),
    wrap("pssh", PSSH, &["pssh -h hosts 'rm -rf /'"]).flags(PSSH_FLAGS).inner(Inner::Shell).site(Site::Remote),
    wrap("parallel-ssh", PSSH, &["parallel-ssh -i -h hosts rm -rf /"])
        .flags(PSSH_FLAGS)
        .inner(Inner::Shell)
        .site(Site::Remote),
    wrap("pdsh", "-w -x -R -l -t -u -f -g -a", &["pdsh -w web[1-3] rm -rf /"]).inner(Inner::Shell).site(Site::Remote),
    wrap(
        "clush",
        "-w -x -g -X -l -t -u -f -o --hostfile --machinefile --user --options",
        &["clush -w web[1-3] rm -rf /", "clush -a 'rm -rf /'"],
    )
    .flags("-a -b -B -q -v -d -L -r -S -N --all")
    .inner(Inner::Shell)
    .site(Site::Remote),
    wrap(
        "mosh",
        "--ssh -p --port --client --server --predict --family --bind-server",
        &["mosh host -- rm -rf /"],
    )
    .skip(1)
    .site(Site::Remote),
    wrap(
        "autossh",
        "-M -B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w",
        &["autossh -M 0 host rm -rf /"],
    )
    .flags(SSH_FLAGS)
    .skip(1)
    .inner(Inner::Shell)
    .site(Site::Remote),
    wrap("sshpass", "-p -f -d -P", &["sshpass -p x ssh host rm -rf /", "sshpass -px ssh host rm -rf /"])
        .optional("-e")
        .flags("-v -h -V"),
];
