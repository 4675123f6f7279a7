// Programs that try to change something out of scope through other programs' habits: asynchronous writes, files that a
// starting program opens, signals that a descriptor sends, interfaces of other processors. Each is one function;
// `further_kinds NAME` runs it. The world is that of `attacks.c`.
#define _GNU_SOURCE
#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define OUT "/w/out"
#define VICTIM "/w/out/victim"
extern char **environ;
static void put(int fd) { if (fd < 0) perror("open"); else if (write(fd, "attacked\n", 9) < 0) perror("write"); }
static void at(const char *path) { put(open(path, O_WRONLY | O_APPEND | O_CREAT, 0666)); }
static void text(const char *path, const char *line) { int fd = open(path, O_WRONLY); if (fd >= 0) { if (write(fd, line, strlen(line)) < 0) perror(path); close(fd); } }
static pid_t outside(void) { return atoi(getenv("OUTSIDE") ?: "0"); }
static void nested(int flags) {
  int u = geteuid(), g = getegid(); char map[64];
  if (unshare(CLONE_NEWUSER | flags)) { perror("unshare"); return; }
  text("/proc/self/setgroups", "deny"); snprintf(map, 64, "%d %d 1", u, u); text("/proc/self/uid_map", map); snprintf(map, 64, "%d %d 1", g, g); text("/proc/self/gid_map", map);
}

// -- writes that another context carries out
static void later_native_aio(void) {
  aio_context_t c = 0; syscall(SYS_io_setup, 4, &c); int fd = open(VICTIM, O_WRONLY); struct iocb b = {.aio_fildes = fd, .aio_lio_opcode = IOCB_CMD_PWRITE, .aio_buf = (uint64_t)"attacked\n", .aio_nbytes = 9}, *p = &b;
  if (syscall(SYS_io_submit, c, 1, &p) < 0) { perror("io_submit"); return; } struct io_event e; syscall(SYS_io_getevents, c, 1, 1, &e, 0);
}
static void later_posix_aio(void) { struct aiocb b = {.aio_fildes = open(VICTIM, O_WRONLY), .aio_buf = "attacked\n", .aio_nbytes = 9}; const struct aiocb *l[] = {&b}; if (aio_write(&b)) perror("aio"); aio_suspend(l, 1, 0); }
static void later_list_aio(void) { struct aiocb b = {.aio_fildes = open(VICTIM, O_WRONLY), .aio_buf = "attacked\n", .aio_nbytes = 9, .aio_lio_opcode = LIO_WRITE}, *l[] = {&b}; if (lio_listio(LIO_WAIT, l, 1, 0)) perror("lio"); }
static void later_orphan(void) { if (fork() == 0) { if (fork() == 0) { usleep(80000); at(VICTIM); _exit(0); } _exit(0); } wait(0); usleep(200000); }
static void later_stopped(void) { pid_t c = fork(); if (c == 0) { raise(SIGSTOP); at(VICTIM); _exit(0); } waitpid(c, 0, WUNTRACED); kill(c, SIGCONT); waitpid(c, 0, 0); }
static void later_traced_child(void) {
#ifdef __x86_64__
  // The parent makes the child write, by its registers.
  pid_t c = fork(); if (c == 0) { ptrace(PTRACE_TRACEME, 0, 0, 0); raise(SIGSTOP); open("/w/src/none", O_WRONLY | O_APPEND | O_CREAT, 0666); write(3, "attacked\n", 9); _exit(0); }
  waitpid(c, 0, 0); static const char path[] = VICTIM; int st;
  while (ptrace(PTRACE_SYSCALL, c, 0, 0) == 0 && waitpid(c, &st, 0) > 0 && WIFSTOPPED(st)) { struct user_regs_struct r; ptrace(PTRACE_GETREGS, c, 0, &r); if (r.orig_rax == SYS_openat && (long)r.rax == -38) { r.rsi = (unsigned long)path; ptrace(PTRACE_SETREGS, c, 0, &r); } }
#else
  at(VICTIM);
#endif
}
static void later_shared_table(void) { pid_t c = syscall(SYS_clone, CLONE_FILES | CLONE_FS | SIGCHLD, 0, 0, 0, 0); if (c == 0) { chdir(OUT); open("victim", O_WRONLY | O_APPEND); _exit(0); } waitpid(c, 0, 0); for (int fd = 3; fd < 12; fd++) if (write(fd, "attacked\n", 9) == 9) return; put(open("victim", O_WRONLY | O_APPEND)); }

// -- files that the start of a program opens
static void start_file_action(void) { posix_spawn_file_actions_t f; posix_spawn_file_actions_init(&f); posix_spawn_file_actions_addopen(&f, 1, VICTIM, O_WRONLY | O_APPEND, 0); char *v[] = {"echo", "attacked", 0}; pid_t c; int e = posix_spawn(&c, "/bin/echo", &f, 0, v, environ); if (e) fprintf(stderr, "%s\n", strerror(e)); else waitpid(c, 0, 0); }
static void start_chdir_action(void) { posix_spawn_file_actions_t f; posix_spawn_file_actions_init(&f); posix_spawn_file_actions_addchdir_np(&f, OUT); char *v[] = {"touch", "made", 0}; pid_t c; if (posix_spawn(&c, "/bin/touch", &f, 0, v, environ) == 0) waitpid(c, 0, 0); }
static void start_by_descriptor(void) { int fd = open("/bin/touch", O_PATH); char *v[] = {"touch", OUT "/made", 0}; syscall(SYS_execveat, fd, "", v, environ, AT_EMPTY_PATH); perror("execveat"); }
static void start_by_loader(void) { execl("/lib64/ld-linux-x86-64.so.2", "ld.so", "/bin/touch", OUT "/made", (char *)0); execl("/bin/touch", "touch", OUT "/made", (char *)0); }
static void start_loader_log(void) { setenv("LD_DEBUG", "libs", 1); setenv("LD_DEBUG_OUTPUT", OUT "/loaded", 1); if (fork() == 0) { execl("/bin/true", "true", (char *)0); _exit(1); } wait(0); }
static void start_by_popen(void) { FILE *f = popen("cat >> " VICTIM, "w"); if (f) { fputs("attacked\n", f); pclose(f); } }
static void start_in_other_folder(void) { int d = open(OUT, O_RDONLY | O_DIRECTORY); if (fork() == 0) { fchdir(d); execl("/bin/touch", "touch", "made", (char *)0); _exit(1); } wait(0); }
static void start_of_script(void) { FILE *f = fopen("/w/src/run", "w"); if (f) { fputs("#!/bin/sh\necho x >> " VICTIM "\n", f); fclose(f); } chmod("/w/src/run", 0755); if (fork() == 0) { execl("/w/src/run", "run", (char *)0); _exit(1); } wait(0); }
static void start_of_copied_program(void) { system("cp /bin/touch /w/src/t && /w/src/t " OUT "/made"); }
static void start_setuid_copy(void) { system("cp /bin/touch /w/src/t && chmod 6755 /w/src/t && /w/src/t " OUT "/made"); }

// -- other names for a path, and other interfaces
static void name_by_task_descriptor(void) { int fd = open(VICTIM, O_RDONLY); char n[80]; snprintf(n, 80, "/proc/self/task/%ld/fd/%d", syscall(SYS_gettid), fd); put(open(n, O_WRONLY | O_APPEND)); }
static void name_above_descriptor(void) { int fd = open("/w/src", O_PATH); char n[80]; snprintf(n, 80, "/proc/self/fd/%d/../out/victim", fd); put(open(n, O_WRONLY | O_APPEND)); }
static void name_above_cwd(void) { chdir("/w/src/m"); put(open("/proc/self/cwd/../../out/victim", O_WRONLY | O_APPEND)); }
static void name_of_thread_folder(void) { chdir(OUT); put(open("/proc/thread-self/cwd/victim", O_WRONLY | O_APPEND)); }
static void name_with_spare_parts(void) { put(open("/w/src/m/../../src/./../out/./folder/../victim", O_WRONLY | O_APPEND)); }
static void name_by_deep_link(void) { mkdir("/w/src/x", 0777); symlink("../../..", "/w/src/x/up"); put(open("/w/src/x/up/w/out/victim", O_WRONLY | O_APPEND)); }
static void name_of_new_folder(void) { int d = open(OUT, O_PATH | O_DIRECTORY); mkdirat(d, "made", 0777); put(openat(d, "made/file", O_WRONLY | O_CREAT, 0666)); }
static void name_swapped_below(void) { mkdir("/w/src/y", 0777); renameat2(AT_FDCWD, "/w/src/y", AT_FDCWD, OUT "/folder", RENAME_EXCHANGE); }
static void name_moved_open_folder(void) { mkdir("/w/src/z", 0777); int d = open("/w/src/z", O_RDONLY); rename("/w/src/z", OUT "/z"); put(openat(d, "file", O_WRONLY | O_CREAT, 0666)); put(openat(d, "../victim", O_WRONLY | O_APPEND)); }
static void call_of_i386(void) {
#ifdef __x86_64__
  char *low = mmap((void *)0x200000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); strcpy(low, VICTIM); strcpy(low + 100, "attacked\n"); long fd, r;
  __asm__ volatile("int $0x80" : "=a"(fd) : "a"(5L), "b"(low), "c"((long)(O_WRONLY | O_APPEND)), "d"(0L) : "memory", "r8", "r9", "r10", "r11");
  if (fd >= 0) { __asm__ volatile("int $0x80" : "=a"(r) : "a"(4L), "b"(fd), "c"(low + 100), "d"(9L) : "memory", "r8", "r9", "r10", "r11"); return; }
  printf("i386 %ld\n", fd);
  if (fd != -38) return;
#endif
  at(VICTIM);
}
static void attribute_list(void) { unsigned char acl[] = {2, 0, 0, 0, 1, 0, 7, 0, 255, 255, 255, 255, 4, 0, 7, 0, 255, 255, 255, 255, 32, 0, 7, 0, 255, 255, 255, 255}; if (setxattr(VICTIM, "system.posix_acl_access", acl, sizeof acl, 0)) perror("acl"); }
static void attribute_hole(void) { int fd = open(VICTIM, O_RDWR); if (fallocate(fd, 3, 0, 4096)) perror("fallocate"); put(fd); }
static void attribute_advice(void) { int fd = open(VICTIM, O_RDWR); char *m = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); if (m == MAP_FAILED) perror("mmap"); else madvise(m, 4096, MADV_REMOVE); }
static void attribute_link_times(void) { symlink("/w/out/victim", "/w/src/l"); struct timespec t[2] = {{5, 0}, {5, 0}}; if (utimensat(AT_FDCWD, "/w/src/l", t, 0)) perror("utimensat"); }

// -- namespaces of children, and mounts that they prepare
static void child_namespace(void) {
  int ready[2], go[2]; pipe(ready); pipe(go); pid_t c = fork();
  if (c == 0) { nested(CLONE_NEWNS); mount(0, "/w", 0, MS_REMOUNT | MS_BIND, 0); mount("/w/out", "/w/src/m", 0, MS_BIND, 0); write(ready[1], "x", 1); char b; read(go[0], &b, 1); _exit(0); }
  char b; read(ready[0], &b, 1); char n[80]; snprintf(n, 80, "/proc/%d/root/w/out/victim", c); put(open(n, O_WRONLY | O_APPEND)); snprintf(n, 80, "/proc/%d/root/w/src/m/victim", c); put(open(n, O_WRONLY | O_APPEND));
  int p = syscall(434, c, 0); if (setns(p, CLONE_NEWUSER | CLONE_NEWNS) == 0) at(VICTIM); else perror("setns"); write(go[1], "x", 1);
}
static void child_shared_mounts(void) { nested(CLONE_NEWNS); mount(0, "/", 0, MS_REC | MS_SHARED, 0); if (fork() == 0) { unshare(CLONE_NEWNS); mount(0, "/", 0, MS_REC | MS_SLAVE, 0); mount("/w/out", "/w/src/m", 0, MS_BIND | MS_REC, 0); _exit(0); } wait(0); at("/w/src/m/victim"); at(VICTIM); }
static void child_group_of_mounts(void) { nested(CLONE_NEWNS); int from = syscall(428, AT_FDCWD, "/w/src", 1), to = syscall(428, AT_FDCWD, "/w", 0); syscall(429, from, "", to, "", 0x104 | 4 | 0x40); at(VICTIM); }
static void child_new_root(void) { nested(CLONE_NEWNS); mkdir("/w/src/root", 0777); mount("/", "/w/src/root", 0, MS_BIND | MS_REC, 0); mount(0, "/w/src/root", 0, MS_REMOUNT | MS_BIND, 0); chroot("/w/src/root"); at("/w/out/victim"); }
static void child_tmpfs_source(void) { nested(CLONE_NEWNS); mount("tmpfs", "/w/src/m", "tmpfs", 0, 0); mkdir("/w/src/m/o", 0777); mount("/w/out", "/w/src/m/o", 0, MS_BIND | MS_REC, 0); mount(0, "/w/src/m/o", 0, MS_REMOUNT | MS_BIND, "rw"); at("/w/src/m/o/victim"); }
static void child_expired(void) { nested(CLONE_NEWNS); for (int i = 0; i < 4; i++) umount2("/w/src", MNT_EXPIRE), umount2("/w", MNT_EXPIRE); at(VICTIM); }
static void child_users(void) { nested(0); setgid(0); setuid(0); at(VICTIM); }

// -- signals without kill()
static void sent(int fd, int signal_) { if (fcntl(fd, F_SETOWN, outside())) perror("F_SETOWN"); fcntl(fd, F_SETSIG, signal_); fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC | O_NONBLOCK); }
static void sent_by_pipe(void) { int p[2]; pipe(p); sent(p[0], SIGKILL); write(p[1], "x", 1); usleep(50000); }
static void sent_by_socket(void) { int s[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, s); sent(s[0], SIGTERM); write(s[1], "x", 1); usleep(50000); }
static void sent_by_owner_call(void) { int s[2], p = outside(); socketpair(AF_UNIX, SOCK_DGRAM, 0, s); if (ioctl(s[0], 0x8901, &p)) perror("FIOSETOWN"); fcntl(s[0], F_SETSIG, SIGKILL); int on = 1; ioctl(s[0], FIOASYNC, &on); write(s[1], "x", 1); usleep(50000); }
static void sent_to_thread(void) { int p[2]; pipe(p); struct f_owner_ex o = {F_OWNER_TID, outside()}; if (fcntl(p[0], F_SETOWN_EX, &o)) perror("F_SETOWN_EX"); fcntl(p[0], F_SETSIG, SIGKILL); fcntl(p[0], F_SETFL, O_ASYNC); write(p[1], "x", 1); usleep(50000); }
static void sent_by_lease(void) { int fd = open("/w/src/code", O_RDONLY); if (fcntl(fd, F_SETLEASE, F_RDLCK)) perror("lease"); sent(fd, SIGKILL); if (fork() == 0) { open("/w/src/code", O_WRONLY | O_NONBLOCK); _exit(0); } wait(0); usleep(50000); int p[2]; pipe(p); sent(p[0], SIGKILL); write(p[1], "x", 1); usleep(50000); }

static const struct { const char *name; void (*run)(void); const char *marks; } all[] = {
#define A(x) {#x, x, ""}
#define M(x, marks) {#x, x, marks}
  A(later_native_aio), A(later_posix_aio), A(later_list_aio), A(later_orphan), A(later_stopped), A(later_traced_child), A(later_shared_table),
  A(start_file_action), A(start_chdir_action), A(start_by_descriptor), A(start_by_loader), A(start_loader_log), A(start_by_popen), A(start_in_other_folder), A(start_of_script), A(start_of_copied_program), A(start_setuid_copy),
  A(name_by_task_descriptor), A(name_above_descriptor), A(name_above_cwd), A(name_of_thread_folder), A(name_with_spare_parts), A(name_by_deep_link), A(name_of_new_folder), A(name_swapped_below), A(name_moved_open_folder), A(call_of_i386),
  A(attribute_list), A(attribute_hole), A(attribute_advice), A(attribute_link_times),
  A(child_namespace), A(child_shared_mounts), A(child_group_of_mounts), A(child_new_root), A(child_tmpfs_source), A(child_expired), A(child_users),
  M(sent_by_pipe, "[net]"), M(sent_by_socket, "[net]"), M(sent_by_owner_call, "[net]"), M(sent_to_thread, "[net]"), M(sent_by_lease, "[net]"),
};
int main(int argc, char **argv) {
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    if (argc < 2) printf("%s%s%s\n", all[i].name, *all[i].marks ? " " : "", all[i].marks);
    else if (!strcmp(all[i].name, argv[1])) { all[i].run(); return 0; }
  }
  return argc < 2 ? 0 : 2;
}
