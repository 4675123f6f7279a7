/* steps LOG PROGRAM ARGUMENT...: runs a program by single steps until it becomes another one, and writes the address of
   every instruction once, as valgrind's lackey does: `I  0423ab1,1`.

   Why not valgrind: it knows neither the calls that confine a process nor a process that shares memory with its parent. */
#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* The static binary is linked below this address, and is not moved. */
#define END (1UL << 27)

static unsigned char seen[END / 8];

static unsigned long instruction(pid_t process) {
    struct user_regs_struct registers;
    struct iovec all = { &registers, sizeof registers };
    if (ptrace(PTRACE_GETREGSET, process, (void *)NT_PRSTATUS, &all) < 0) return END;
#if defined(__aarch64__)
    return registers.pc;
#else
    return registers.rip;
#endif
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    FILE *log = fopen(argv[1], "w");
    if (!log) return 2;
    pid_t process = fork();
    if (process == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argv[2], argv + 2);
        _exit(127);
    }
    int status = 0;
    if (waitpid(process, &status, 0) < 0 || !WIFSTOPPED(status)) return 2;
    ptrace(PTRACE_SETOPTIONS, process, 0, PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
    while (WIFSTOPPED(status) && status >> 8 != (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
        unsigned long at = instruction(process);
        if (at < END && !(seen[at / 8] & 1 << at % 8)) {
            seen[at / 8] |= 1 << at % 8;
            fprintf(log, "I  %lx,1\n", at);
        }
        if (ptrace(PTRACE_SINGLESTEP, process, 0, 0) < 0 || waitpid(process, &status, __WALL) < 0) return 2;
    }
    /* It became the other program, or it ended. */
    int became = WIFSTOPPED(status);
    if (became) kill(process, SIGKILL);
    return fclose(log) != 0 || !became;
}
