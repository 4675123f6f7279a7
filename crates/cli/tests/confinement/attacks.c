// Programs that try to change something out of scope. Each is one function; `attacks NAME` runs it.
// The folder: /w is the workspace, /w/src its scope, /w/out and /home/u are out of scope. The driver compares all of
// them before and after.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#define VICTIM "/w/out/victim"
#define OUT "/w/out"
static void put(int fd) { if (fd >= 0 && write(fd, "attacked\n", 9) < 0) perror("write"); }
static void at(const char *path) { put(open(path, O_WRONLY | O_APPEND | O_CREAT, 0666)); }

// -- opening in every way
static void open_append(void) { at(VICTIM); }
static void open_truncate(void) { put(open(VICTIM, O_WRONLY | O_TRUNC)); }
static void open_create(void) { at(OUT "/new"); }
static void open_creat(void) { put(creat(OUT "/new2", 0666)); }
static void open_rdwr(void) { int fd = open(VICTIM, O_RDWR); put(fd); }
static void open_dotdot(void) { at("/w/src/../out/victim"); }
static void open_relative(void) { if (chdir("/w/src") == 0) at("../out/victim"); }
static void open_slashes(void) { at("//w//out/.//victim"); }
static void open_self_root(void) { at("/proc/self/root/w/out/victim"); }
static void open_self_cwd(void) { if (chdir(OUT) == 0) at("/proc/self/cwd/victim"); }
static void open_thread_root(void) { at("/proc/thread-self/root/w/out/victim"); }
static void open_o_tmpfile(void) {
  int fd = open(OUT, O_TMPFILE | O_WRONLY, 0666); put(fd);
  char name[64]; snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  linkat(AT_FDCWD, name, AT_FDCWD, OUT "/linked", AT_SYMLINK_FOLLOW);
}
static void open_direct(void) {
  int fd = open(OUT "/block", O_WRONLY | O_CREAT | O_SYNC, 0666); put(fd);
}
static void openat_dir(void) { int d = open(OUT, O_RDONLY | O_DIRECTORY); put(openat(d, "victim", O_WRONLY | O_APPEND)); }
static void openat_path_dir(void) { int d = open(OUT, O_PATH); put(openat(d, "victim", O_WRONLY | O_APPEND)); }
static long do_openat2(int d, const char *p, uint64_t flags, uint64_t resolve) {
  struct open_how how = {.flags = flags, .resolve = resolve};
  if (flags & O_CREAT) how.mode = 0666;
  return syscall(SYS_openat2, d, p, &how, sizeof how);
}
static void openat2_plain(void) { put(do_openat2(AT_FDCWD, VICTIM, O_WRONLY | O_APPEND, 0)); }
static void openat2_in_root(void) { int d = open("/", O_PATH); put(do_openat2(d, "/w/out/victim", O_WRONLY | O_APPEND, RESOLVE_IN_ROOT)); }
static void openat2_beneath(void) { int d = open("/w", O_PATH); put(do_openat2(d, "out/victim", O_WRONLY | O_APPEND, RESOLVE_BENEATH)); }
static void openat2_create(void) { put(do_openat2(AT_FDCWD, OUT "/o2", O_WRONLY | O_CREAT, 0)); }
static void fd_reopen(void) {
  int fd = open(VICTIM, O_RDONLY); char n[64]; snprintf(n, sizeof n, "/proc/self/fd/%d", fd); put(open(n, O_WRONLY | O_APPEND));
}
static void fd_reopen_path(void) {
  int fd = open(VICTIM, O_PATH); char n[64]; snprintf(n, sizeof n, "/proc/self/fd/%d", fd); put(open(n, O_WRONLY | O_APPEND));
}
static void fd_truncate(void) { int fd = open(VICTIM, O_RDWR); if (ftruncate(fd, 0)) perror("ftruncate"); }
static void path_truncate(void) { if (truncate(VICTIM, 3)) perror("truncate"); }
static void fd_fallocate(void) { int fd = open(VICTIM, O_RDWR); if (fallocate(fd, 0, 0, 4096)) perror("fallocate"); }

// -- writing in every way
static void write_mmap(void) {
  int fd = open(VICTIM, O_RDWR); char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (p != MAP_FAILED) { p[0] = '!'; msync(p, 4096, MS_SYNC); }
}
static void write_mprotect(void) {
  int fd = open(VICTIM, O_RDWR); char *p = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0);
  if (p != MAP_FAILED && mprotect(p, 4096, PROT_READ | PROT_WRITE) == 0) { p[1] = '!'; msync(p, 4096, MS_SYNC); }
}
static void write_pwritev2(void) { int fd = open(VICTIM, O_WRONLY); struct iovec v = {"zz", 2}; if (pwritev2(fd, &v, 1, 0, 0) < 0) perror(""); }
static void write_sendfile(void) {
  int in = open("/w/src/code", O_RDONLY), out = open(VICTIM, O_WRONLY); if (sendfile(out, in, 0, 4) < 0) perror("");
}
static void write_copy_range(void) {
  int in = open("/w/src/code", O_RDONLY), out = open(VICTIM, O_WRONLY); if (copy_file_range(in, 0, out, 0, 4, 0) < 0) perror("");
}
static void write_splice(void) {
  int p[2]; if (pipe(p)) return; put(p[1]); int out = open(VICTIM, O_WRONLY); if (splice(p[0], 0, out, 0, 9, 0) < 0) perror("");
}
static void write_vmsplice(void) {
  int p[2]; if (pipe(p)) return; struct iovec v = {"spliced", 7}; vmsplice(p[1], &v, 1, 0);
  int out = open(VICTIM, O_WRONLY); if (splice(p[0], 0, out, 0, 7, 0) < 0) perror("");
}
static void write_tee(void) {
  int p[2], q[2]; if (pipe(p) || pipe(q)) return; put(p[1]); tee(p[0], q[1], 9, 0);
  int out = open(VICTIM, O_WRONLY); if (splice(q[0], 0, out, 0, 9, 0) < 0) perror("");
}
static void write_io_uring(void) {
  struct io_uring_params p; memset(&p, 0, sizeof p);
  int r = syscall(SYS_io_uring_setup, 4, &p); if (r < 0) { perror("io_uring"); return; }
  char *sq = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, r, IORING_OFF_SQ_RING);
  struct io_uring_sqe *s = mmap(0, p.sq_entries * sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, r, IORING_OFF_SQES);
  memset(s, 0, sizeof *s); s->opcode = IORING_OP_OPENAT; s->fd = AT_FDCWD; s->addr = (uint64_t)(OUT "/ring");
  s->open_flags = O_WRONLY | O_CREAT; s->len = 0666;
  *(unsigned *)(sq + p.sq_off.array) = 0; *(unsigned *)(sq + p.sq_off.tail) = 1;
  syscall(SYS_io_uring_enter, r, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
}
static void ring_op(int op, const char *a, const char *b) {
  struct io_uring_params p; memset(&p, 0, sizeof p);
  int r = syscall(SYS_io_uring_setup, 4, &p); if (r < 0) { perror("io_uring"); return; }
  char *sq = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, r, IORING_OFF_SQ_RING);
  struct io_uring_sqe *s = mmap(0, p.sq_entries * sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, r, IORING_OFF_SQES);
  memset(s, 0, sizeof *s); s->opcode = op; s->fd = AT_FDCWD; s->addr = (uint64_t)a; s->len = op == IORING_OP_MKDIRAT ? 0777 : AT_FDCWD; s->off = (uint64_t)b;
  if (op == IORING_OP_UNLINKAT || op == IORING_OP_SYMLINKAT) s->len = 0;
  *(unsigned *)(sq + p.sq_off.array) = 0; *(unsigned *)(sq + p.sq_off.tail) = 1;
  syscall(SYS_io_uring_enter, r, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
}
static void ring_mkdir(void) { ring_op(IORING_OP_MKDIRAT, OUT "/ringdir", 0); }
static void ring_unlink(void) { ring_op(IORING_OP_UNLINKAT, VICTIM, 0); }
static void ring_rename(void) { ring_op(IORING_OP_RENAMEAT, VICTIM, OUT "/renamed"); }
static void ring_link(void) { ring_op(IORING_OP_LINKAT, VICTIM, OUT "/hard"); }
static void ring_symlink(void) { ring_op(IORING_OP_SYMLINKAT, "x", OUT "/soft"); }
static void write_thread(void);
static void *thread_put(void *x) { (void)x; at(VICTIM); return 0; }
static void write_thread(void) { pthread_t t; pthread_create(&t, 0, thread_put, 0); pthread_join(t, 0); }
static void write_vfork(void) { pid_t c = vfork(); if (c == 0) { execl("/bin/sh", "sh", "-c", "echo v >> " VICTIM, (char *)0); _exit(1); } waitpid(c, 0, 0); }
static void write_fork(void) { pid_t c = fork(); if (c == 0) { at(VICTIM); _exit(0); } waitpid(c, 0, 0); }
static void write_daemon(void) { pid_t c = fork(); if (c == 0) { setsid(); if (fork() == 0) { usleep(50000); at(VICTIM); } _exit(0); } waitpid(c, 0, 0); usleep(150000); }
static void write_memfd_exec(void) {
  int m = memfd_create("x", 0), self = open("/proc/self/exe", O_RDONLY); char b[65536]; ssize_t n;
  while ((n = read(self, b, sizeof b)) > 0) if (write(m, b, n) < 0) return;
  char *argv[] = {"attacks", "open_append", 0}, *env[] = {0}; fexecve(m, argv, env);
}
static void write_signal_handler_(int s) { (void)s; at(VICTIM); }
static void write_signal(void) { signal(SIGUSR1, write_signal_handler_); raise(SIGUSR1); }
static void write_atexit(void) { atexit(open_append); exit(0); }

// -- names
static void name_unlink(void) { unlink(VICTIM); }
static void name_unlinkat(void) { unlinkat(open(OUT, O_PATH), "victim", 0); }
static void name_rename(void) { rename(VICTIM, OUT "/renamed"); }
static void name_rename_over(void) { rename("/w/src/code", VICTIM); }
static void name_rename_into_scope(void) { rename(VICTIM, "/w/src/stolen"); }
static void name_renameat2_exchange(void) { renameat2(AT_FDCWD, VICTIM, AT_FDCWD, OUT "/other", RENAME_EXCHANGE); }
static void name_renameat2_whiteout(void) { renameat2(AT_FDCWD, VICTIM, AT_FDCWD, OUT "/white", RENAME_NOREPLACE); }
static void name_rename_folder(void) { rename(OUT, "/w/away"); }
static void name_rename_scope(void) { if (rename("/w/src", "/w/moved") == 0) { mkdir("/w/src", 0777); } }
static void name_exchange_scope(void) { renameat2(AT_FDCWD, "/w/src", AT_FDCWD, OUT, RENAME_EXCHANGE); }
static void name_mkdir(void) { mkdir(OUT "/dir", 0777); }
static void name_rmdir(void) { rmdir(OUT "/empty"); }
static void name_rmdir_scope_parent(void) { rename("/w/out", "/w/src/out"); }
static void name_link(void) { link(VICTIM, OUT "/hard"); }
static void name_link_write(void) { link(VICTIM, "/w/src/hard"); at("/w/src/hard"); }
static void name_linkat_empty(void) { int fd = open(VICTIM, O_RDONLY); char n[64]; snprintf(n, 64, "/proc/self/fd/%d", fd); linkat(AT_FDCWD, n, AT_FDCWD, "/w/src/hard2", AT_SYMLINK_FOLLOW); at("/w/src/hard2"); }
static void name_symlink(void) { if (symlink("x", OUT "/soft")) perror(""); }
static void name_symlink_write(void) { if (symlink(VICTIM, "/w/src/soft")) perror(""); at("/w/src/soft"); }
static void name_symlink_dir(void) { if (symlink(OUT, "/w/src/dir")) perror(""); at("/w/src/dir/victim"); }
static void name_symlink_relative(void) { if (symlink("../out", "/w/src/rel")) perror(""); at("/w/src/rel/victim"); }
static void name_symlink_chain(void) { if (symlink("/w/src/b", "/w/src/a") || symlink("/w/src/c", "/w/src/b") || symlink(OUT, "/w/src/c")) perror(""); at("/w/src/a/victim"); }
static void name_symlink_truncate(void) { if (symlink(VICTIM, "/w/src/t")) perror(""); if (truncate("/w/src/t", 0)) perror(""); }
static void name_mkfifo(void) { mkfifo(OUT "/fifo", 0666); }
static void name_bind_socket(void) {
  int s = socket(AF_UNIX, SOCK_STREAM, 0); struct sockaddr_un a = {.sun_family = AF_UNIX}; strcpy(a.sun_path, OUT "/sock");
  if (bind(s, (struct sockaddr *)&a, sizeof a)) perror("");
}
static void name_mknod_file(void) { mknod(OUT "/node", S_IFREG | 0666, 0); }

// -- attributes
static void attr_chmod(void) { chmod(VICTIM, 0777); }
static void attr_fchmodat(void) { fchmodat(open(OUT, O_PATH), "victim", 0707, 0); }
static void attr_fchmod(void) { fchmod(open(VICTIM, O_RDONLY), 0770); }
static void attr_utimes(void) { struct utimbuf t = {1, 1}; utime(VICTIM, &t); }
static void attr_futimens(void) { struct timespec t[2] = {{2, 0}, {2, 0}}; futimens(open(VICTIM, O_RDONLY), t); }
static void attr_setxattr(void) { setxattr(VICTIM, "user.attack", "1", 1, 0); }
static void attr_fsetxattr(void) { fsetxattr(open(VICTIM, O_RDONLY), "user.attack2", "1", 1, 0); }
static void attr_chown(void) { if (chown(VICTIM, geteuid(), getegid() == 0 ? 1 : getegid())) perror(""); chmod(VICTIM, 0600); }

// -- namespaces and mounts
static int in_namespace(int flags) {
  uid_t u = geteuid(); gid_t g = getegid(); if (unshare(flags)) { perror("unshare"); return -1; }
  char b[64]; int fd = open("/proc/self/setgroups", O_WRONLY); if (fd >= 0) { if (write(fd, "deny", 4) < 0) perror(""); close(fd); }
  snprintf(b, 64, "0 %d 1", u); fd = open("/proc/self/uid_map", O_WRONLY); if (write(fd, b, strlen(b)) < 0) perror("uid_map"); close(fd);
  snprintf(b, 64, "0 %d 1", g); fd = open("/proc/self/gid_map", O_WRONLY); if (write(fd, b, strlen(b)) < 0) perror("gid_map"); close(fd);
  return 0;
}
#define NESTED (CLONE_NEWUSER | CLONE_NEWNS)
static void ns_write(void) { in_namespace(NESTED); at(VICTIM); }
static void ns_remount(void) { in_namespace(NESTED); mount(0, "/w", 0, MS_REMOUNT | MS_BIND, 0); mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0); at(VICTIM); }
static void ns_bind(void) { in_namespace(NESTED); mount("/w/out", "/w/src/m", 0, MS_BIND | MS_REC, 0); at("/w/src/m/victim"); at(VICTIM); }
static void ns_bind_remount(void) { in_namespace(NESTED); mount("/w/out", "/w/src/m", 0, MS_BIND | MS_REC, 0); mount(0, "/w/src/m", 0, MS_REMOUNT | MS_BIND, 0); at("/w/src/m/victim"); at(VICTIM); }
static void ns_umount(void) { in_namespace(NESTED); umount2("/w", MNT_DETACH); umount2("/w/src", MNT_DETACH); umount2("/", MNT_DETACH); at(VICTIM); }
static void ns_move(void) { in_namespace(NESTED); mount("/w/src", "/w/out", 0, MS_MOVE, 0); at(VICTIM); }
static void ns_setattr(void) {
  in_namespace(NESTED); struct { uint64_t set, clr, prop, fd; } a = {0, 1, 0, 0};
  syscall(442, AT_FDCWD, "/", 0x8000, &a, sizeof a); syscall(442, AT_FDCWD, "/w", 0x8000, &a, sizeof a); at(VICTIM);
}
static void ns_open_tree(void) {
  in_namespace(NESTED); int t = syscall(428, AT_FDCWD, "/w/out", 1 | 0x8000); struct { uint64_t set, clr, prop, fd; } a = {0, 1, 0, 0};
  syscall(442, t, "", 0x1000 | 0x8000, &a, sizeof a); put(openat(t, "victim", O_WRONLY | O_APPEND)); at(VICTIM);
}
static void ns_pivot(void) { in_namespace(NESTED); mount("/w", "/w", 0, MS_BIND | MS_REC, 0); chdir("/w"); syscall(SYS_pivot_root, ".", "."); at("/out/victim"); at("out/victim"); at(VICTIM); }
static void ns_chroot(void) { in_namespace(CLONE_NEWUSER); if (chroot("/w")) perror("chroot"); if (chdir("/")) perror(""); at("/out/victim"); }
static void ns_twice(void) { in_namespace(NESTED); in_namespace(NESTED); mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0); at(VICTIM); }
static void ns_private(void) { in_namespace(NESTED); mount(0, "/", 0, MS_REC | MS_SHARED, 0); umount2("/proc", MNT_DETACH); at(VICTIM); }
static void ns_overlay(void) { in_namespace(NESTED); mkdir("/w/src/u", 0777); mkdir("/w/src/k", 0777); mount("overlay", "/w/out", "overlay", 0, "lowerdir=/w/out,upperdir=/w/src/u,workdir=/w/src/k,userxattr"); umount2("/w/out", MNT_DETACH); at(VICTIM); }
static void ns_setns_init(void) { int fd = open("/proc/1/ns/mnt", O_RDONLY); setns(fd, 0); at(VICTIM); }
static void ns_mount_proc(void) { in_namespace(NESTED | CLONE_NEWPID); if (fork() == 0) { mount("proc", "/w/src/m", "proc", 0, 0); at("/w/src/m/1/root/w/out/victim"); at(VICTIM); _exit(0); } wait(0); }
static void ns_time(void) { in_namespace(CLONE_NEWUSER | CLONE_NEWUTS | CLONE_NEWIPC); at(VICTIM); }
static void mount_direct(void) { mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0); mount(0, "/w", 0, MS_REMOUNT | MS_BIND, 0); at(VICTIM); }
static void mount_umount(void) { for (int i = 0; i < 9; i++) { umount2("/w/src", MNT_DETACH); umount2("/w", MNT_DETACH); } at(VICTIM); }
static void mount_umount_shm(void) { umount2("/dev/shm", MNT_DETACH); at(VICTIM); }
static void handle_open(void) {
  struct { struct file_handle h; char b[128]; } f; f.h.handle_bytes = 128; int id;
  if (name_to_handle_at(AT_FDCWD, VICTIM, &f.h, &id, 0)) perror("name_to_handle_at");
  int m = open("/w/src", O_RDONLY); put(open_by_handle_at(m, &f.h, O_WRONLY | O_APPEND)); at(VICTIM);
}

// -- other processes: `canary` runs outside and writes as soon as its memory says so
static volatile char command[64];
static pid_t outside(void) { return atoi(getenv("OUTSIDE") ?: "0"); }
static char *where(void) { return (char *)strtoul(getenv("ADDRESS") ?: "0", 0, 16); }
static void canary(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(open(OUT, O_RDONLY | O_DIRECTORY), 5); dup2(open(VICTIM, O_WRONLY | O_APPEND), 6);
  dup2(open("/home/u/.ssh/key", O_RDONLY), 4); strcpy((char *)command + 32, getenv("CANARY") ?: "");
  if (chdir("/w")) return;
  // Last: the driver starts the attack as soon as it reads this.
  printf("%lx\n", (unsigned long)command); fflush(stdout);
  for (;;) { usleep(2000); if (command[0]) { at(VICTIM); command[0] = 0; } }
}
static void proc_mem(void) { char n[64]; snprintf(n, 64, "/proc/%d/mem", outside()); int fd = open(n, O_RDWR); if (pwrite(fd, "!", 1, (off_t)where()) < 0) perror(""); usleep(30000); }
static void proc_ptrace(void) {
  if (ptrace(PTRACE_ATTACH, outside(), 0, 0)) { perror("ptrace"); return; }
  waitpid(outside(), 0, 0); ptrace(PTRACE_POKEDATA, outside(), where(), (void *)'!'); ptrace(PTRACE_DETACH, outside(), 0, 0); usleep(30000);
}
static void proc_seize(void) {
  if (ptrace(PTRACE_SEIZE, outside(), 0, 0)) { perror("ptrace"); return; }
  ptrace(PTRACE_INTERRUPT, outside(), 0, 0); waitpid(outside(), 0, 0); ptrace(PTRACE_POKEDATA, outside(), where(), (void *)'!'); ptrace(PTRACE_DETACH, outside(), 0, 0); usleep(30000);
}
static void proc_vm_writev(void) { struct iovec l = {"!", 1}, r = {where(), 1}; if (process_vm_writev(outside(), &l, 1, &r, 1, 0) < 0) perror(""); usleep(30000); }
static void proc_pidfd_getfd(void) { int p = syscall(434, outside(), 0); put(syscall(438, p, 6, 0)); }
static void proc_pidfd_folder(void) { int p = syscall(434, outside(), 0); put(openat(syscall(438, p, 5, 0), "victim", O_WRONLY | O_APPEND)); }
static void proc_fd_dir(void) { char n[80]; snprintf(n, 80, "/proc/%d/fd/5/victim", outside()); at(n); }
static void proc_fd_file(void) { char n[80]; snprintf(n, 80, "/proc/%d/fd/6", outside()); put(open(n, O_WRONLY | O_APPEND)); }
static void proc_root(void) { char n[80]; snprintf(n, 80, "/proc/%d/root/w/out/victim", outside()); at(n); }
static void proc_cwd(void) { char n[80]; snprintf(n, 80, "/proc/%d/cwd/out/victim", outside()); at(n); }
static void proc_task_root(void) { char n[80]; snprintf(n, 80, "/proc/%d/task/%d/root/w/out/victim", outside(), outside()); at(n); }
static void proc_setns(void) { char n[80]; snprintf(n, 80, "/proc/%d/ns/mnt", outside()); setns(open(n, O_RDONLY), 0); at(VICTIM); }
static void proc_setns_pidfd(void) { setns(syscall(434, outside(), 0), CLONE_NEWNS); at(VICTIM); }
static void kill_outside(void) { kill(outside(), SIGTERM); }
static void kill_all(void) { kill(-1, SIGTERM); }
static void sigqueue_outside(void) { union sigval v = {0}; sigqueue(outside(), SIGTERM, v); }
static void tgkill_outside(void) { int p = outside(); syscall(SYS_tgkill, p, p, SIGTERM); }
static void pidfd_signal_outside(void) { int p = syscall(434, outside(), 0); syscall(424, p, SIGTERM, 0, 0); }

// -- descriptors that the caller left open: 8 is a folder, 9 a file for reading, 7 a place
static void inherited_folder(void) { put(openat(8, "victim", O_WRONLY | O_APPEND)); }
static void inherited_fchdir(void) { if (fchdir(8) == 0) at("victim"); }
static void inherited_folder_proc(void) { at("/proc/self/fd/8/victim"); }
static void inherited_folder_dotdot(void) { put(openat(8, "../out/victim", O_WRONLY | O_APPEND)); }
static void inherited_folder_mkdir(void) { mkdirat(8, "made", 0777); }
static void inherited_folder_unlink(void) { unlinkat(8, "victim", 0); }
static void inherited_folder_renameat(void) { renameat(8, "victim", 8, "renamed"); }
static void inherited_file(void) { put(open("/proc/self/fd/9", O_WRONLY | O_APPEND)); }
static void inherited_file_truncate(void) { if (truncate("/proc/self/fd/9", 0)) perror(""); }
static void inherited_file_chmod(void) { fchmod(9, 0777); }
static void inherited_file_xattr(void) { fsetxattr(9, "user.x", "1", 1, 0); }
static void inherited_file_times(void) { struct timespec t[2] = {{3, 0}, {3, 0}}; futimens(9, t); }
static void inherited_place(void) { put(openat(7, "victim", O_WRONLY | O_APPEND)); }
static void inherited_stdin(void) { put(open("/proc/self/fd/0", O_WRONLY | O_APPEND)); }
static void inherited_stdin_dev(void) { put(open("/dev/stdin", O_WRONLY | O_APPEND)); }
static void inherited_passed(void) {
  int s[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, s); int d = 8; char b[1] = {0}, c[CMSG_SPACE(4)]; struct iovec v = {b, 1};
  struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = c, .msg_controllen = sizeof c};
  struct cmsghdr *h = CMSG_FIRSTHDR(&m); h->cmsg_level = SOL_SOCKET; h->cmsg_type = SCM_RIGHTS; h->cmsg_len = CMSG_LEN(4); memcpy(CMSG_DATA(h), &d, 4);
  if (sendmsg(s[0], &m, 0) < 0 || recvmsg(s[1], &m, 0) < 0) { perror("msg"); return; }
  memcpy(&d, CMSG_DATA(CMSG_FIRSTHDR(&m)), 4); put(openat(d, "victim", O_WRONLY | O_APPEND));
}

// -- races: a thread swaps names while another writes
static volatile int stop;
static void *swap_links(void *x) { (void)x; while (!stop) { unlink("/w/src/r"); if (symlink("/w/src/d", "/w/src/r")) {} unlink("/w/src/r"); if (symlink("/w/out", "/w/src/r")) {} } return 0; }
static void race_link(void) { pthread_t t; mkdir("/w/src/d", 0777); pthread_create(&t, 0, swap_links, 0); for (time_t end = time(0) + 2; time(0) < end;) { int fd = open("/w/src/r/victim", O_WRONLY | O_APPEND | O_CREAT, 0666); put(fd); if (fd >= 0) close(fd); } stop = 1; pthread_join(t, 0); }
static void *swap_rename(void *x) { (void)x; mkdir("/w/src/p", 0777); mkdir("/w/src/q", 0777); while (!stop) { renameat2(AT_FDCWD, "/w/src/p", AT_FDCWD, "/w/src/q", RENAME_EXCHANGE); } return 0; }
static void race_dotdot(void) { pthread_t t; if (symlink("../../out", "/w/src/q0")) {} pthread_create(&t, 0, swap_rename, 0); for (int i = 0; i < 2000; i++) { int fd = open("/w/src/p/../../out/victim", O_WRONLY | O_APPEND); put(fd); if (fd >= 0) close(fd); } stop = 1; pthread_join(t, 0); }

static const struct { const char *name; void (*run)(void); } all[] = {
#define A(x) {#x, x}
  A(open_append), A(open_truncate), A(open_create), A(open_creat), A(open_rdwr), A(open_dotdot), A(open_relative), A(open_slashes),
  A(open_self_root), A(open_self_cwd), A(open_thread_root), A(open_o_tmpfile), A(open_direct), A(openat_dir), A(openat_path_dir),
  A(openat2_plain), A(openat2_in_root), A(openat2_beneath), A(openat2_create), A(fd_reopen), A(fd_reopen_path), A(fd_truncate),
  A(path_truncate), A(fd_fallocate), A(write_mmap), A(write_mprotect), A(write_pwritev2), A(write_sendfile), A(write_copy_range),
  A(write_splice), A(write_vmsplice), A(write_tee), A(write_io_uring), A(ring_mkdir), A(ring_unlink), A(ring_rename), A(ring_link),
  A(ring_symlink), A(write_thread), A(write_vfork), A(write_fork), A(write_daemon), A(write_memfd_exec), A(write_signal), A(write_atexit),
  A(name_unlink), A(name_unlinkat), A(name_rename), A(name_rename_over), A(name_rename_into_scope), A(name_renameat2_exchange),
  A(name_renameat2_whiteout), A(name_rename_folder), A(name_rename_scope), A(name_exchange_scope), A(name_mkdir), A(name_rmdir),
  A(name_rmdir_scope_parent), A(name_link), A(name_link_write), A(name_linkat_empty), A(name_symlink), A(name_symlink_write),
  A(name_symlink_dir), A(name_symlink_relative), A(name_symlink_chain), A(name_symlink_truncate), A(name_mkfifo), A(name_bind_socket),
  A(name_mknod_file), A(attr_chmod), A(attr_fchmodat), A(attr_fchmod), A(attr_utimes), A(attr_futimens), A(attr_setxattr),
  A(attr_fsetxattr), A(attr_chown), A(ns_write), A(ns_remount), A(ns_bind), A(ns_bind_remount), A(ns_umount), A(ns_move), A(ns_setattr),
  A(ns_open_tree), A(ns_pivot), A(ns_chroot), A(ns_twice), A(ns_private), A(ns_overlay), A(ns_setns_init),
  A(ns_mount_proc), A(ns_time), A(mount_direct), A(mount_umount), A(mount_umount_shm), A(handle_open),
  A(proc_mem), A(proc_ptrace), A(proc_seize), A(proc_vm_writev), A(proc_pidfd_getfd), A(proc_pidfd_folder), A(proc_fd_dir),
  A(proc_fd_file), A(proc_root), A(proc_cwd), A(proc_task_root), A(proc_setns), A(proc_setns_pidfd),
  A(kill_outside), A(kill_all), A(sigqueue_outside), A(tgkill_outside), A(pidfd_signal_outside),
  A(inherited_folder), A(inherited_fchdir), A(inherited_folder_proc), A(inherited_folder_dotdot), A(inherited_folder_mkdir),
  A(inherited_folder_unlink), A(inherited_folder_renameat), A(inherited_file), A(inherited_file_truncate), A(inherited_file_chmod),
  A(inherited_file_xattr), A(inherited_file_times), A(inherited_place), A(inherited_stdin), A(inherited_stdin_dev), A(inherited_passed),
  A(race_link), A(race_dotdot),
};
int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "canary")) { canary(); return 1; }
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    if (argc < 2) puts(all[i].name);
    else if (!strcmp(all[i].name, argv[1])) { all[i].run(); return 0; }
  }
  return argc < 2 ? 0 : 2;
}
