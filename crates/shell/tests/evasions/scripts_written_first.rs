//! The attack is written to a file and run afterwards.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "echo 'rm -rf /' > t.sh; bash t.sh",
        "echo 'rm -rf /' > t.sh && chmod +x t.sh && ./t.sh",
        "cat > /tmp/x.sh <<'EOF'\n#!/bin/bash\nrm -rf ~\nEOF\nbash /tmp/x.sh",
        "printf 'rm -rf /' > x; sh x",
        "echo 'rm -rf /' | tee x.sh; . ./x.sh",
        "echo rm >> x.sh; echo 'rm -rf /' >> x.sh; source x.sh",
        "cat <<EOF > a.py\nimport shutil\nshutil.rmtree('/')\nEOF\npython3 a.py",
        "echo 'rm -rf /' > a; cp a b; bash b",
        "echo 'all:\n\trm -rf /' > Makefile; make",
        "printf '{\"scripts\":{\"x\":\"rm -rf /\"}}' > package.json; npm run x",
        "bash -c 'echo \"rm -rf /\" > q.sh'; bash q.sh",
    ]);
}
