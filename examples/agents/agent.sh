#!/bin/sh
# A scripted agent: it plays the three roles without a model, so that the workflow can be seen
# running anywhere. A real project names `claude`, `copilot`, `codex` or `gemini` instead.
#
# What it gets: the role and the task on stdin, and its name in STEERSMAN_AGENT.
prompt=$(cat)

case "$STEERSMAN_AGENT" in
planner)
    echo "1. Write a greeting into greeting.txt."
    echo "2. Have it reviewed."
    ;;
developer)
    case "$prompt" in
    *"needs work"*)
        echo "hello, world" > greeting.txt
        echo "Corrected the spelling in greeting.txt."
        ;;
    *)
        echo "helo, world" > greeting.txt
        echo "Wrote greeting.txt."
        ;;
    esac
    ;;
reviewer)
    if grep -q '^hello, ' greeting.txt; then
        echo "approved: greeting.txt greets."
    else
        echo "needs work: greeting.txt has a spelling mistake."
    fi
    ;;
*)
    echo "no role for '$STEERSMAN_AGENT'" >&2
    exit 1
    ;;
esac
