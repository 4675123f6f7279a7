//! Clouds and infrastructure as code.

use super::row::{Operands, Program, builds, careful, change, look, reads, risky, unsure, writes};
use super::special;
use crate::guard::RuleId;

const TERRAFORM: &[super::row::Sub] = &[
    risky("destroy", "", RuleId::InfrastructureDestroy),
    risky("apply", "-destroy|--destroy", RuleId::InfrastructureDestroy),
    risky("apply", "-auto-approve|--auto-approve|-auto-approve=true", RuleId::InfrastructureAutoApply),
    risky("run-all destroy", "", RuleId::InfrastructureDestroy),
    careful("apply|import", "", RuleId::InfrastructureApply),
    risky("state rm|push", "", RuleId::InfrastructureState),
    careful("state mv|replace-provider", "", RuleId::InfrastructureStateEdit),
    careful("taint|untaint|force-unlock", "", RuleId::InfrastructureStateEdit),
    risky("workspace delete", "", RuleId::InfrastructureState),
    look("plan|show|output|validate|version|providers|graph|console|metadata|test"),
    look("state list|show|pull"),
    look("workspace list|show"),
    unsure("init|get"),
    change("fmt|workspace"),
];

pub(super) static PROGRAMS: &[Program] = &[
    writes("terraform", Operands::Ignore, &["terraform fmt"])
        .values("-var -var-file -target -out -chdir")
        .special(special::terraform)
        .subs(TERRAFORM)
        .not(&["terraform plan", "terraform destroy"]),
    writes("tofu", Operands::Ignore, &["tofu fmt"])
        .values("-var -var-file -target -out -chdir")
        .special(special::terraform)
        .subs(TERRAFORM)
        .not(&["tofu plan", "tofu destroy"]),
    writes("terragrunt", Operands::Ignore, &["terragrunt fmt"])
        .special(special::terraform)
        .subs(TERRAFORM)
        .not(&["terragrunt plan", "terragrunt destroy"]),
    writes("pulumi", Operands::Ignore, &["pulumi config set a b"])
        .values("-s --stack -C")
        .subs(&[
            look("preview|whoami|version|about"),
            look("stack ls|output|graph"),
            risky("destroy|down", "", RuleId::InfrastructureDestroy),
            risky("stack rm", "", RuleId::InfrastructureState),
            risky("up|update", "-y|--yes", RuleId::InfrastructureAutoApply),
            careful("up|update|refresh", "", RuleId::InfrastructureApply),
            change("*"),
        ])
        .not(&["pulumi preview", "pulumi destroy"]),
    writes("cdk", Operands::Ignore, &["cdk init app"])
        .subs(&[
            look("diff|synth|list|ls|doctor"),
            risky("destroy", "", RuleId::InfrastructureDestroy),
            careful("deploy|bootstrap", "", RuleId::InfrastructureApply),
            change("*"),
        ])
        .not(&["cdk diff", "cdk destroy"]),
    writes("sam", Operands::Ignore, &["sam build"])
        .subs(&[
            look("validate|list"),
            risky("delete", "", RuleId::InfrastructureDestroy),
            careful("deploy", "", RuleId::InfrastructureApply),
        ])
        .not(&["sam delete"]),
    writes("serverless", Operands::Ignore, &["serverless package"])
        .subs(&[
            look("info|print"),
            risky("remove", "", RuleId::InfrastructureDestroy),
            careful("deploy", "", RuleId::InfrastructureApply),
        ])
        .not(&["serverless remove"]),
    writes("sls", Operands::Ignore, &["sls package"])
        .subs(&[
            look("info|print"),
            risky("remove", "", RuleId::InfrastructureDestroy),
            careful("deploy", "", RuleId::InfrastructureApply),
        ])
        .not(&["sls remove"]),
    writes("sst", Operands::Ignore, &["sst dev"])
        .subs(&[
            risky("remove", "", RuleId::InfrastructureDestroy),
            careful("deploy", "", RuleId::InfrastructureApply),
        ])
        .not(&["sst remove"]),
    writes("ansible", Operands::Ignore, &["ansible all -m service -a name=x"])
        .online()
        .values("-m --module-name -a --args -i --inventory -u -l")
        .special(special::ansible)
        .not(&["echo ansible"]),
    writes("ansible-playbook", Operands::Ignore, &["ansible-playbook a.yml"])
        .online()
        .special(special::ansible)
        .not(&["ansible-playbook --check a.yml"]),
    writes("packer", Operands::Ignore, &["packer build x"])
        .subs(&[look("validate|inspect")])
        .not(&["packer validate x"]),
    writes("eksctl", Operands::Ignore, &["eksctl create cluster"])
        .online()
        .subs(&[
            look("get *"),
            risky("delete *", "", RuleId::CloudDelete),
            careful("*", "", RuleId::CloudChange),
        ])
        .not(&["eksctl get cluster"]),
    writes("kops", Operands::Ignore, &["kops update cluster"])
        .online()
        .subs(&[
            look("get *"),
            risky("delete *", "", RuleId::CloudDelete),
            careful("*", "", RuleId::CloudChange),
        ])
        .not(&["kops get cluster"]),
    writes("aws", Operands::Ignore, &["aws s3 cp a s3://b/a"])
        .values("--region --profile --output --query --endpoint-url --acl")
        .online()
        .special(special::aws)
        .not(&["aws s3 ls", "aws ec2 describe-instances"]),
    writes("gcloud", Operands::Ignore, &["gcloud config set project x"])
        .values("--project --zone --region --format --filter")
        .online()
        .special(special::gcloud)
        .not(&["gcloud projects list"]),
    writes("gsutil", Operands::Ignore, &["gsutil cp a gs://b"])
        .online()
        .special(special::gsutil)
        .subs(&[
            look("ls|cat|du|stat|version|hash"),
            careful("iam|acl|defacl|bucketpolicyonly|ubla|pap ch|set", "", RuleId::CloudAccess),
            risky("rm", "", RuleId::CloudDelete),
            risky("rb", "", RuleId::CloudDelete),
        ])
        .not(&["gsutil ls"]),
    writes("az", Operands::Ignore, &["az group create -n x"])
        .values("-g -n -o --resource-group --name --output --query --subscription -l")
        .online()
        .special(special::az)
        .not(&["az account show"]),
    writes("azcopy", Operands::Ignore, &["azcopy copy a b"])
        .online()
        .subs(&[look("list"), risky("remove", "", RuleId::CloudDelete)])
        .not(&["azcopy list x"]),
    writes("doctl", Operands::Ignore, &["doctl compute droplet create x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["doctl account get"]),
    writes("hcloud", Operands::Ignore, &["hcloud server create"])
        .online()
        .special(special::cloud_verbs)
        .not(&["hcloud server list"]),
    writes("linode-cli", Operands::Ignore, &["linode-cli linodes create"])
        .online()
        .special(special::cloud_verbs)
        .not(&["linode-cli linodes list"]),
    writes("oci", Operands::Ignore, &["oci compute instance launch"])
        .online()
        .special(special::cloud_verbs)
        .not(&["oci compute instance list"]),
    writes("ibmcloud", Operands::Ignore, &["ibmcloud target -g x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["ibmcloud resource list"]),
    builds("kubeadm", &["kubeadm init"])
        .subs(&[risky("reset", "", RuleId::ClusterDelete)])
        .not(&["kubeadm reset", "echo kubeadm"]),
    builds("talosctl", &["talosctl bootstrap"])
        .subs(&[risky("reset|shutdown|reboot", "", RuleId::ClusterDelete)])
        .not(&["talosctl reset", "echo talosctl"]),
    builds("ceph", &["ceph osd crush x"])
        .subs(&[risky("osd purge|destroy|rm; osd pool rm|delete; fs rm; mon|mgr rm", "", RuleId::CloudDelete)])
        .not(&["ceph osd purge 1", "echo ceph"]),
    builds("gluster", &["gluster peer probe x"])
        .subs(&[risky("volume delete|stop|reset", "", RuleId::CloudDelete)])
        .not(&["gluster volume delete x", "echo gluster"]),
    builds("nodetool", &["nodetool flush"])
        .subs(&[risky("removenode|decommission|assassinate|clearsnapshot", "", RuleId::CloudDelete)])
        .not(&["nodetool removenode x", "echo nodetool"]),
    builds("hdfs", &["hdfs dfs -put a b"])
        .subs(&[risky("dfs|namenode", "-rm|-rmr|-expunge|-format|-deleteSnapshot", RuleId::CloudDelete)])
        .not(&["hdfs dfs -rm -r /", "echo hdfs"]),
    builds("hadoop", &["hadoop fs -put a b"])
        .subs(&[risky("fs|dfs|namenode", "-rm|-rmr|-expunge|-format|-deleteSnapshot", RuleId::CloudDelete)])
        .not(&["hadoop fs -rm -r /", "echo hadoop"]),
    writes("openstack", Operands::Ignore, &["openstack server create x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["openstack server list"]),
    writes("heroku", Operands::Ignore, &["heroku config:set a=b"])
        .values("-a --app")
        .online()
        .special(special::heroku)
        .not(&["heroku logs"]),
    writes("fly", Operands::Ignore, &["fly launch"])
        .values("-a --app")
        .online()
        .special(special::cloud_verbs)
        .not(&["fly status"]),
    writes("flyctl", Operands::Ignore, &["flyctl launch"])
        .values("-a --app")
        .online()
        .special(special::cloud_verbs)
        .not(&["flyctl status"]),
    writes("vercel", Operands::Ignore, &["vercel link"])
        .values("-t --token --scope")
        .online()
        .special(special::cloud_verbs)
        .not(&["vercel ls"]),
    writes("netlify", Operands::Ignore, &["netlify link"])
        .online()
        .special(special::cloud_verbs)
        .not(&["netlify status"]),
    writes("wrangler", Operands::Ignore, &["wrangler dev"])
        .online()
        .special(special::cloud_verbs)
        .not(&["wrangler whoami"]),
    writes("railway", Operands::Ignore, &["railway link"])
        .online()
        .special(special::cloud_verbs)
        .not(&["railway status"]),
    writes("render", Operands::Ignore, &["render deploys create x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["render services list"]),
    writes("firebase", Operands::Ignore, &["firebase use x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["firebase projects:list"]),
    writes("amplify", Operands::Ignore, &["amplify add api"])
        .online()
        .special(special::cloud_verbs)
        .not(&["amplify status"]),
    writes("eb", Operands::Ignore, &["eb create x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["eb status"]),
    writes("cf", Operands::Ignore, &["cf push"]).online().special(special::cloud_verbs).not(&["cf apps"]),
    writes("planetscale", Operands::Ignore, &["planetscale branch create x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["planetscale branch list"]),
    writes("pscale", Operands::Ignore, &["pscale branch create x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["pscale branch list"]),
    writes("scw", Operands::Ignore, &["scw instance server create"])
        .online()
        .special(special::cloud_verbs)
        .not(&["scw instance server list"]),
    writes("vultr-cli", Operands::Ignore, &["vultr-cli instance create"])
        .online()
        .special(special::cloud_verbs)
        .not(&["vultr-cli instance list"]),
    writes("civo", Operands::Ignore, &["civo instance create"])
        .online()
        .special(special::cloud_verbs)
        .not(&["civo instance list"]),
    writes("upctl", Operands::Ignore, &["upctl server create"])
        .online()
        .special(special::cloud_verbs)
        .not(&["upctl server list"]),
    writes("kamal", Operands::Ignore, &["kamal setup"])
        .online()
        .subs(&[
            risky("remove; app|proxy|accessory remove", "", RuleId::InfrastructureDestroy),
            careful("deploy|redeploy|rollback", "", RuleId::InfrastructureApply),
        ])
        .not(&["echo kamal"]),
    writes("cap", Operands::Ignore, &["cap install"])
        .online()
        .subs(&[careful("* deploy*", "", RuleId::InfrastructureApply)])
        .not(&["echo cap"]),
    writes("dokku", Operands::Ignore, &["dokku apps:create x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["dokku apps:list"]),
    writes("neonctl", Operands::Ignore, &["neonctl branches create"])
        .online()
        .special(special::cloud_verbs)
        .not(&["neonctl branches list"]),
    writes("turso", Operands::Ignore, &["turso db create x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["turso db list"]),
    writes("vault", Operands::Ignore, &["vault kv put a b=c"])
        .online()
        .subs(&[
            careful("read; kv get", "", RuleId::SecretRead),
            careful("token|policy|auth|operator create|write|enable|generate-root|init|unseal", "", RuleId::CloudAccess),
            look("status|version"),
            risky("delete; secrets|auth|audit disable; kv delete|destroy; kv metadata delete; lease|token revoke; operator seal|rekey|step-down", "", RuleId::CloudDelete),
        ])
        .not(&["vault status"]),
    writes("consul", Operands::Ignore, &["consul kv put a b"])
        .online()
        .subs(&[look("members; kv get"), risky("kv delete; snapshot restore", "", RuleId::CloudDelete), careful("leave|force-leave|maint; acl|config|intention|peering create|write|update|delete|bootstrap", "", RuleId::CloudChange)])
        .not(&["consul members"]),
    writes("nomad", Operands::Ignore, &["nomad plan x"])
        .online()
        .subs(&[
            look("status|node"),
            risky("stop|system; job stop", "", RuleId::CloudDelete),
            careful("run", "", RuleId::InfrastructureApply),
        ])
        .not(&["nomad status"]),
    writes("mc", Operands::Ignore, &["mc cp a b/c"])
        .online()
        .subs(&[look("ls|cat|stat|du"), risky("rm|rb", "", RuleId::CloudDelete)])
        .not(&["mc ls x"]),
    writes("s3cmd", Operands::Ignore, &["s3cmd put a s3://b"])
        .online()
        .subs(&[look("ls|info|du"), risky("del|rm|rb", "", RuleId::CloudDelete)])
        .not(&["s3cmd ls"]),
    writes("b2", Operands::Ignore, &["b2 upload-file a b c"])
        .online()
        .special(special::cloud_verbs)
        .not(&["b2 ls x"]),
    reads("infracost", &["infracost breakdown --path ."]).online().not(&["infracost > f"]),
    reads("tflint", &["tflint"]).not(&["tflint > f"]),
    reads("checkov", &["checkov -d ."]).not(&["checkov > f"]),
    writes("stripe", Operands::Ignore, &["stripe trigger x"])
        .online()
        .special(special::cloud_verbs)
        .not(&["stripe customers list"]),
    writes("sentry-cli", Operands::Ignore, &["sentry-cli releases new x"]).online().not(&["echo sentry-cli"]),
    writes("newrelic", Operands::Ignore, &["newrelic entity tags create"])
        .online()
        .special(special::cloud_verbs)
        .not(&["newrelic entity get"]),
];
