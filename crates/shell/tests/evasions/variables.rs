//! A command put together from variables.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "IFS= read -r c <<< 'rm -rf /'; eval \"$c\"",
        "X=1 Y=2 read c <<< 'rm -rf ~'; $c",
        "X=rm; $X -rf /",
        "a=r b=m; $a$b -rf /",
        "CMD='rm -rf /'; $CMD",
        "D=/; rm -rf $D",
        "D=/etc; rm -rf \"$D\"",
        "export T=$HOME; rm -rf \"$T\"",
        "x=m; r$x -rf /",
        "F=-rf; rm $F /",
        "read X <<< rm; $X -rf /",
        "set -- rm -rf /; \"$@\"",
        "A=(rm -rf /); \"${A[@]}\"",
        "declare -a A=(rm -rf /); \"${A[@]}\"",
        "f() { local -a A=(rm -rf /); \"${A[@]}\"; }; f",
        "A=(echo rm -rf /); \"${A[@]:1}\"",
        "A=(echo rm -rf / x); \"${A[@]:1:3}\"",
        "set -- echo rm -rf /; \"${@:2}\"",
        "declare X='rm -rf / '; eval $X",
        "A=(x / y); rm -rf \"${A[1]}\"",
        "printf -v X rm; rm -rf /",
        "X=xrmx; ${X:1:2} -rf /",
        "X=rmzzz; ${X%zzz} -rf /",
        "X=RM; ${X,,} -rf /",
        "Y=X; X=rm; ${!Y} -rf /",
        "rm -rf ${NOPE:-/}",
        "rm -rf ${NOPE:=/etc}",
        "X=ab; X+=c; rm -rf / $X",
    ]);
}
