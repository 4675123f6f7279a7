// Runs a program without user namespaces, as a strict container does: `deny namespaces COMMAND…`, or without Landlock
// too: `deny both COMMAND…`.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE(call, error) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))

int main(int argc, char **argv) {
  struct sock_filter filter[] = {
      LOAD(nr),
      REFUSE(SYS_unshare, EPERM), REFUSE(SYS_setns, EPERM), REFUSE(SYS_clone3, ENOSYS),
      // clone with CLONE_NEWUSER
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4), LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x10000000, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), LOAD(nr),
      REFUSE(444, ENOSYS), REFUSE(445, ENOSYS), REFUSE(446, ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  unsigned short n = sizeof filter / sizeof *filter;
  if (argc < 3) return 125;
  if (strcmp(argv[1], "both")) {
    filter[n - 7] = filter[n - 1];
    n -= 6;
  }
  struct sock_fprog program = {n, filter};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 125;
  execvp(argv[2], argv + 2);
  return 127;
}
