//! Containers and clusters.

use super::row::{Operands, Program, careful, change, look, reads, risky, unsure, writes};
use super::special;
use crate::guard::RuleId;

const DOCKER: &[super::row::Sub] = &[
    look("ps|images|logs|inspect|version|info|stats|top|port|diff|history|search|events"),
    look(
        "container|image|volume|network|context|system|buildx|manifest|node|service|stack|plugin|builder|config|secret ls|list|inspect|df|info|logs|top|stats|version|ps",
    ),
    risky("system prune", "-a|--all|--volumes", RuleId::ContainerPruneAll),
    risky("system reset", "", RuleId::ContainerPruneAll),
    careful("system prune", "", RuleId::ContainerPrune),
    risky("volume prune", "", RuleId::ContainerPruneAll),
    change("builder|buildx prune"),
    careful("image|container|network prune", "", RuleId::ContainerPrune),
    careful("volume rm|remove", "", RuleId::ContainerVolume),
    careful("push", "", RuleId::Publish),
    careful("image push", "", RuleId::Publish),
    careful("stack|service|swarm|node|secret|config rm|leave|remove", "", RuleId::ContainerVolume),
    unsure("build|buildx|run|exec|start|image|container"),
    change("*"),
];

pub(super) static PROGRAMS: &[Program] = &[
    writes("docker", Operands::Ignore, &["docker stop web", "docker rm web"]).values("-H --host -c --context --config -l --log-level --file --tag --format --filter --tail --since").special(special::docker).subs(DOCKER)
        .not(&["docker ps -a", "docker images", "docker compose logs web", "docker build -t x ."]),
    writes("podman", Operands::Ignore, &["podman stop web"]).values("--format --filter").special(special::docker).subs(DOCKER).not(&["podman ps"]),
    writes("nerdctl", Operands::Ignore, &["nerdctl stop web"]).special(special::docker).subs(DOCKER).not(&["nerdctl ps"]),
    writes("docker-compose", Operands::Ignore, &["docker-compose stop"]).values("-f --file -p --profile").special(special::compose).subs(&[
            look("ps|logs|config|images|top|version|port|ls|events"),
            careful("down", "-v|--volumes|--rmi", RuleId::ContainerVolume),
            careful("push", "", RuleId::Publish),
            unsure("up|build|run|exec"),
            change("*"),
        ]).not(&["docker-compose ps", "docker-compose up -d"]),
    writes("buildah", Operands::Ignore, &["buildah rm x"]).subs(&[careful("rm|rmi|prune", "-a|--all|-f|--force", RuleId::ContainerPrune)]).not(&["echo buildah"]),
    writes("ctr", Operands::Ignore, &["ctr images pull x"]).values("-n --namespace -a --address").subs(&[careful("images|image|i|containers|container|c|tasks|task|t|snapshots|namespaces rm|remove|delete|del|kill", "", RuleId::ContainerPrune)]).not(&["echo ctr"]),
    writes("crictl", Operands::Ignore, &["crictl pull x"]).subs(&[careful("rm|rmi|rmp|stopp|stop", "", RuleId::ContainerPrune)]).not(&["crictl ps"]),
    writes("lxc", Operands::Ignore, &["lxc launch x"]).subs(&[careful("delete|rm; image|storage|network|profile|project delete|rm", "", RuleId::ContainerVolume)]).not(&["echo lxc"]),
    writes("incus", Operands::Ignore, &["incus launch x"]).subs(&[careful("delete|rm; image|storage|network|profile|project delete|rm", "", RuleId::ContainerVolume)]).not(&["echo incus"]),
    writes("virsh", Operands::Ignore, &["virsh start x"]).values("-c --connect").subs(&[careful("undefine|destroy|vol-delete|vol-wipe|pool-delete|pool-destroy|pool-undefine|snapshot-delete|net-destroy|net-undefine|managedsave-remove", "", RuleId::ContainerVolume)]).not(&["virsh list"]),
    writes("VBoxManage", Operands::Ignore, &["VBoxManage startvm x"]).subs(&[careful("unregistervm", "--delete|--delete-all", RuleId::ContainerVolume), careful("closemedium|snapshot|controlvm", "", RuleId::ContainerVolume)]).not(&["echo VBoxManage"]),
    writes("microk8s", Operands::Ignore, &["microk8s enable dns"]).subs(&[risky("reset", "", RuleId::ClusterDelete)]).not(&["echo microk8s"]),
    writes("skopeo", Operands::Ignore, &["skopeo copy a b"]).subs(&[look("inspect|list-tags"), careful("copy * docker://*; sync", "", RuleId::Publish), careful("delete", "", RuleId::RemoteDelete)]).not(&["skopeo inspect x"]),
    reads("dive", &["dive img"]).not(&["dive > f"]),
    reads("trivy", &["trivy image x"]).not(&["trivy > f"]),
    writes("kubectl", Operands::Ignore, &["kubectl label pod x a=b"]).values("-n --namespace -f --filename -o --output -l --selector --context --kubeconfig -c --container --field-selector --since --tail -k --sort-by --type -p").online().special(special::kubectl).subs(&[
            look("get|describe|logs|explain|version|top|api-resources|api-versions|cluster-info|diff|wait|events|options|completion; auth can-i"),
            look("config view|get-contexts|current-context|get-clusters"),
            look("rollout status|history"),
            careful("debug node/*", "", RuleId::ContainerHostAccess),
            careful("run", "--privileged", RuleId::ContainerHostAccess),
            risky("delete namespace|namespaces|ns|pv|persistentvolume|persistentvolumes|pvc|persistentvolumeclaim|node|nodes|crd|customresourcedefinition|clusterrole|clusterrolebinding|statefulset|sts", "", RuleId::ClusterDelete),
            risky("delete *", "--all|-A|--all-namespaces", RuleId::ClusterDelete),
            careful("delete", "", RuleId::ClusterChange),
            careful("drain|cordon|taint|scale|patch|edit|replace|set", "", RuleId::ClusterChange),
            careful("apply|create", "", RuleId::ClusterChange),
            careful("rollout *", "", RuleId::ClusterChange),
            look("port-forward|proxy|kustomize"),
            change("config use-context|set-context|use|rename-context"),
            careful("config *", "", RuleId::ClusterChange),
            change("*"),
        ])
        .not(&["kubectl get pods", "kubectl logs x", "kubectl delete ns prod"]),
    writes("oc", Operands::Ignore, &["oc label pod x a=b"]).values("-n -o -f").online().subs(&[look("get|describe|logs|status|whoami|version"), risky("delete project|namespace|ns|pv|pvc", "", RuleId::ClusterDelete), careful("delete", "", RuleId::ClusterChange), change("*")]).not(&["oc get pods"]),
    writes("helm", Operands::Ignore, &["helm repo add a b"]).values("-n --namespace -f --values --set --version").online().special(special::helm).subs(&[
            look("list|ls|status|get|show|search|template|lint|history|version|env; dependency list"),
            risky("uninstall|delete|del|un", "", RuleId::InfrastructureDestroy),
            careful("install|upgrade|rollback", "", RuleId::InfrastructureApply),
            careful("push", "", RuleId::Publish),
            change("*"),
        ]).not(&["helm list", "helm uninstall x"]),
    reads("kustomize", &["kustomize build ."]).not(&["kustomize build . > f"]),
    reads("stern", &["stern x"]).not(&["stern x > f"]),
    reads("k9s", &["k9s"]).not(&["k9s > f"]),
    reads("kubectx", &["kubectx"]).not(&["kubectx > f"]),
    writes("minikube", Operands::Ignore, &["minikube start"]).subs(&[look("status|ip|logs; service list"), careful("delete", "", RuleId::ClusterChange)]).not(&["minikube status"]),
    writes("kind", Operands::Ignore, &["kind create cluster"]).subs(&[look("get *"), careful("delete *", "", RuleId::ClusterChange)]).not(&["kind get clusters"]),
    writes("k3d", Operands::Ignore, &["k3d cluster create x"]).subs(&[look("cluster list"), careful("cluster delete", "", RuleId::ClusterChange)]).not(&["k3d cluster list"]),
    writes("argocd", Operands::Ignore, &["argocd app sync x"]).online().subs(&[look("app list|get|diff|history"), risky("app delete", "", RuleId::InfrastructureDestroy)]).not(&["argocd app list"]),
    writes("flux", Operands::Ignore, &["flux reconcile x"]).online().subs(&[look("get *"), risky("uninstall|delete", "", RuleId::InfrastructureDestroy)]).not(&["flux get all"]),
    writes("vagrant", Operands::Ignore, &["vagrant up"]).subs(&[look("status|global-status"), careful("destroy", "", RuleId::ContainerVolume)]).not(&["vagrant status"]),
    writes("multipass", Operands::Ignore, &["multipass launch"]).subs(&[look("list|info"), careful("delete|purge", "", RuleId::ContainerVolume)]).not(&["multipass list"]),
    writes("act", Operands::Ignore, &["act push"]).not(&["echo act"]),
];
