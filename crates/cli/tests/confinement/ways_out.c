// More programs that try to change something out of scope, by calls that ordinary programs rarely make. Each is one
// function; `ways_out NAME` runs it. The world is that of `attacks.c`.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/io_uring.h>
#include <linux/openat2.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define VICTIM "/w/out/victim"
#define OUT "/w/out"
static void put(int fd) { if (fd < 0) perror("open"); else if (write(fd, "attacked\n", 9) < 0) perror("write"); }
static void at(const char *path) { put(open(path, O_WRONLY | O_APPEND | O_CREAT, 0666)); }
static pid_t outside(void) { return atoi(getenv("OUTSIDE") ?: "0"); }
static char *where(void) { return (char *)strtoul(getenv("ADDRESS") ?: "0", 0, 16); }
static char *named(const char *format, long n) { static char text[8][128]; static int i; char *t = text[i++ % 8]; snprintf(t, 128, format, n); return t; }
static long openat2_(int d, const char *p, uint64_t flags, uint64_t resolve) {
  struct open_how how = {.flags = flags, .resolve = resolve, .mode = flags & O_CREAT ? 0666 : 0};
  return syscall(SYS_openat2, d, p, &how, sizeof how);
}

// -- names that the kernel resolves in another way
static void resolve_no_xdev(void) { put(openat2_(open("/w/out", O_PATH), "victim", O_WRONLY | O_APPEND, RESOLVE_NO_XDEV)); }
static void resolve_cached(void) { struct stat s; stat(VICTIM, &s); put(openat2_(AT_FDCWD, VICTIM, O_WRONLY | O_APPEND, RESOLVE_CACHED)); }
static void resolve_in_scope_root(void) { int d = open("/w", O_PATH); put(openat2_(d, "/src/../out/victim", O_WRONLY | O_APPEND, RESOLVE_IN_ROOT)); }
static void resolve_no_magic(void) { put(openat2_(AT_FDCWD, VICTIM, O_RDWR | O_APPEND, RESOLVE_NO_MAGICLINKS)); }
static void read_only_truncate(void) { open(VICTIM, O_RDONLY | O_TRUNC); }
static void magic_dev_fd(void) { put(open(named("/dev/fd/%ld", open(VICTIM, O_RDONLY)), O_WRONLY | O_APPEND)); }
static void magic_task_fd(void) { put(open(named("/proc/thread-self/fd/%ld", open(VICTIM, O_PATH)), O_RDWR)); }
static void magic_dotdot(void) { at(named("/proc/self/fd/%ld/../out/victim", open("/w/src", O_PATH))); }
static void magic_root_fd(void) { at(named("/proc/self/fd/%ld/w/out/victim", open("/proc/self/root", O_PATH))); }
static void magic_empty_path(void) { int fd = open(VICTIM, O_PATH); put(openat(AT_FDCWD, named("/proc/self/fd/%ld", dup(fd)), O_WRONLY | O_APPEND)); }
static void magic_linkat(void) { int fd = open(VICTIM, O_PATH); linkat(fd, "", AT_FDCWD, "/w/out/linked", AT_EMPTY_PATH); linkat(AT_FDCWD, named("/proc/self/fd/%ld", fd), AT_FDCWD, "/w/out/linked", AT_SYMLINK_FOLLOW); }
static void magic_child_fd(void) {
  int fd = open(VICTIM, O_RDONLY); pid_t c = fork(); if (c == 0) { pause(); _exit(0); }
  char n[64]; snprintf(n, 64, "/proc/%d/fd/%d", c, fd); put(open(n, O_WRONLY | O_APPEND)); kill(c, 9);
}
static void magic_map_files(void) {
  int fd = open(VICTIM, O_RDONLY); char *p = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0); char n[96];
  snprintf(n, 96, "/proc/self/map_files/%lx-%lx", (long)p, (long)p + 4096); put(open(n, O_WRONLY | O_APPEND)); at(VICTIM);
}
static void pidfd_of_self(void) { int fd = open(VICTIM, O_RDONLY), p = syscall(434, getpid(), 0); int g = syscall(438, p, fd, 0); put(open(named("/proc/self/fd/%ld", g), O_WRONLY | O_APPEND)); }

// -- files without opening them for writing
static void set_flags(void) { int fd = open(VICTIM, O_RDONLY), f = FS_NODUMP_FL; if (ioctl(fd, FS_IOC_SETFLAGS, &f)) perror("setflags"); chmod(VICTIM, 0640); }
static void set_fsx(void) { int fd = open(VICTIM, O_RDONLY); struct fsxattr a = {0}; ioctl(fd, FS_IOC_FSGETXATTR, &a); a.fsx_xflags |= FS_XFLAG_NODUMP; if (ioctl(fd, FS_IOC_FSSETXATTR, &a)) perror("fssetxattr"); chmod(VICTIM, 0640); }
static void set_file_attr(void) { uint64_t a[3] = {0x80, 0, 0}; if (syscall(469, AT_FDCWD, VICTIM, a, 24, 0)) perror("file_setattr"); chmod(VICTIM, 0641); }
static void set_xattr_at(void) { struct { uint64_t value; uint32_t size, flags; } a = {(uint64_t)"1", 1, 0}; if (syscall(463, AT_FDCWD, VICTIM, 0, "user.at", &a, sizeof a)) perror("setxattrat"); setxattr(VICTIM, "user.at", "1", 1, 0); }
static void remove_xattr(void) { setxattr(VICTIM, "user.gone", "1", 1, 0); lremovexattr(VICTIM, "user.gone"); setxattr(VICTIM, "user.kept", "1", 1, 0); }
static void set_mode_at2(void) { if (syscall(452, AT_FDCWD, VICTIM, 0711, AT_SYMLINK_NOFOLLOW)) perror("fchmodat2"); }
static void set_mode_fd_path(void) { int fd = open(VICTIM, O_PATH); if (chmod(named("/proc/self/fd/%ld", fd), 0712)) perror("chmod"); }
static void set_times_empty(void) { int fd = open(VICTIM, O_PATH); struct timespec t[2] = {{5, 0}, {5, 0}}; if (utimensat(fd, "", t, AT_EMPTY_PATH)) perror("utimensat"); }
static void set_times_folder(void) { struct timespec t[2] = {{5, 0}, {5, 0}}; utimensat(AT_FDCWD, OUT, t, 0); chmod(OUT, 0700); }
static void punch_hole(void) { int fd = open(VICTIM, O_RDWR); if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4)) perror("fallocate"); put(fd); }
static void clone_range(void) { int a = open("/w/src/code", O_RDONLY), b = open(VICTIM, O_WRONLY); if (ioctl(b, FICLONE, a)) put(b); }
static void map_then_write(void) { int fd = open(VICTIM, O_RDWR); char *p = mmap(0, 4096, PROT_WRITE, MAP_SHARED, fd, 0); if (p != MAP_FAILED) memcpy(p, "mapped", 6); }
static void map_remap(void) { int fd = open(VICTIM, O_RDWR); char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); if (p != MAP_FAILED) { p = mremap(p, 4096, 8192, MREMAP_MAYMOVE); p[2] = '#'; } }
static void private_then_mem(void) {
  int fd = open(VICTIM, O_RDONLY), m = open("/proc/self/mem", O_RDWR); char *p = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0);
  if (pwrite(m, "!!", 2, (off_t)p) < 0) perror("mem"); at(VICTIM);
}

// -- rings
struct ring { int fd; char *sq; struct io_uring_params p; struct io_uring_sqe *e; unsigned n; };
static struct ring ring_new(void) {
  struct ring r = {0}; r.fd = syscall(SYS_io_uring_setup, 8, &r.p); if (r.fd < 0) { perror("io_uring_setup"); exit(0); }
  r.sq = mmap(0, r.p.sq_off.array + r.p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, IORING_OFF_SQ_RING);
  r.e = mmap(0, r.p.sq_entries * sizeof *r.e, PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, IORING_OFF_SQES); return r;
}
static struct io_uring_sqe *ring_add(struct ring *r, int op, int fd, const void *a, unsigned len, uint64_t off) {
  struct io_uring_sqe *s = r->e + r->n; memset(s, 0, sizeof *s); s->opcode = op; s->fd = fd; s->addr = (uint64_t)a; s->len = len; s->off = off;
  ((unsigned *)(r->sq + r->p.sq_off.array))[r->n] = r->n; *(unsigned *)(r->sq + r->p.sq_off.tail) = ++r->n; return s;
}
static void ring_go(struct ring *r) { if (syscall(SYS_io_uring_enter, r->fd, r->n, r->n, IORING_ENTER_GETEVENTS, 0, 0) < 0) perror("enter"); }
static void ring_linked(void) {
  struct ring r = ring_new(); int slots[4] = {-1, -1, -1, -1}; syscall(SYS_io_uring_register, r.fd, IORING_REGISTER_FILES, slots, 4);
  struct io_uring_sqe *s = ring_add(&r, IORING_OP_OPENAT, AT_FDCWD, OUT "/linked", 0666, 0); s->open_flags = O_WRONLY | O_CREAT; s->file_index = 1; s->flags = IOSQE_IO_LINK;
  s = ring_add(&r, IORING_OP_WRITE, 0, "x", 1, 0); s->flags = IOSQE_FIXED_FILE; ring_go(&r);
}
static void ring_openat2(void) { struct ring r = ring_new(); struct open_how h = {.flags = O_WRONLY | O_CREAT, .mode = 0666}; ring_add(&r, IORING_OP_OPENAT2, AT_FDCWD, OUT "/how", sizeof h, (uint64_t)&h); ring_go(&r); }
static void ring_setxattr(void) { struct ring r = ring_new(); struct io_uring_sqe *s = ring_add(&r, IORING_OP_SETXATTR, 0, "user.ring", 1, (uint64_t)"1"); s->addr3 = (uint64_t)VICTIM; ring_go(&r); }
static void ring_ftruncate(void) { struct ring r = ring_new(); int fd = open(VICTIM, O_RDWR); ring_add(&r, 55, fd, 0, 0, 2); ring_go(&r); put(fd); }
static void ring_splice(void) { struct ring r = ring_new(); int p[2]; if (pipe(p)) return; put(p[1]); int fd = open(VICTIM, O_WRONLY); struct io_uring_sqe *s = ring_add(&r, IORING_OP_SPLICE, fd, 0, 9, 0); s->splice_fd_in = p[0]; s->splice_off_in = -1; ring_go(&r); }
static void ring_polled(void) {
  struct ring r = {0}; r.p.flags = IORING_SETUP_SQPOLL; r.p.sq_thread_idle = 500; r.fd = syscall(SYS_io_uring_setup, 8, &r.p); if (r.fd < 0) { perror("sqpoll"); return; }
  r.sq = mmap(0, r.p.sq_off.array + 64, PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, IORING_OFF_SQ_RING); r.e = mmap(0, 8 * sizeof *r.e, PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, IORING_OFF_SQES);
  struct io_uring_sqe *s = ring_add(&r, IORING_OP_OPENAT, AT_FDCWD, OUT "/polled", 0666, 0); s->open_flags = O_WRONLY | O_CREAT; syscall(SYS_io_uring_enter, r.fd, 1, 1, IORING_ENTER_GETEVENTS | IORING_ENTER_SQ_WAKEUP, 0, 0);
}
static void ring_personality(void) { struct ring r = ring_new(); int who = syscall(SYS_io_uring_register, r.fd, IORING_REGISTER_PERSONALITY, 0, 0); struct io_uring_sqe *s = ring_add(&r, IORING_OP_OPENAT, AT_FDCWD, OUT "/who", 0666, 0); s->open_flags = O_WRONLY | O_CREAT; s->personality = who; ring_go(&r); }

// -- namespaces by the newer calls
struct attr { uint64_t set, clear, propagation, userns; };
static int nested(int flags) {
  uid_t u = geteuid(); gid_t g = getegid(); if (unshare(flags | CLONE_NEWUSER)) { perror("unshare"); return -1; }
  int fd = open("/proc/self/setgroups", O_WRONLY); if (write(fd, "deny", 4) < 0) perror("setgroups");
  char b[64]; snprintf(b, 64, "0 %d 1", u); fd = open("/proc/self/uid_map", O_WRONLY); if (write(fd, b, strlen(b)) < 0) perror("uid_map");
  snprintf(b, 64, "0 %d 1", g); fd = open("/proc/self/gid_map", O_WRONLY); if (write(fd, b, strlen(b)) < 0) perror("gid_map"); return 0;
}
static void newns_fspick(void) { nested(CLONE_NEWNS); int fd = syscall(433, AT_FDCWD, "/w", 0); syscall(431, fd, 0, "rw", 0, 0); if (syscall(431, fd, 7, 0, 0, 0)) perror("reconfigure"); at(VICTIM); }
static void newns_remount_sb(void) { nested(CLONE_NEWNS); if (mount(0, "/w", 0, MS_REMOUNT, "mode=777")) perror("remount"); at(VICTIM); }
static void newns_idmap(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, "/w/out", 1 | 0x8000), u = open("/proc/self/ns/user", O_RDONLY); struct attr a = {0x100000, 0, 0, u}; syscall(442, t, "", 0x1000, &a, sizeof a); struct attr b = {0, 1, 0, 0}; syscall(442, t, "", 0x1000, &b, sizeof b); put(openat(t, "victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void newns_open_tree_outside(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, named("/proc/%ld/root/w/out", outside()), 1 | 0x8000); put(openat(t, "victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void newns_bind_outside(void) { nested(CLONE_NEWNS); mount(named("/proc/%ld/root/w/out", outside()), "/w/src/m", 0, MS_BIND, 0); at("/w/src/m/victim"); at(VICTIM); }
static void newns_move_over(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, "/w/src", 1 | 0x8000); if (syscall(429, t, "", AT_FDCWD, "/w/out", 4)) perror("move_mount"); umount2("/w/out", MNT_DETACH); at(VICTIM); }
static void newns_beneath(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, "/w/src", 1 | 0x8000); syscall(429, t, "", AT_FDCWD, "/w/out", 4 | 0x200); umount2("/w/out", MNT_DETACH); at(VICTIM); }
static void newns_tmpfs_pivot(void) {
  nested(CLONE_NEWNS); mount("none", "/w/src/m", "tmpfs", 0, 0); mkdir("/w/src/m/old", 0777); if (syscall(SYS_pivot_root, "/w/src/m", "/w/src/m/old")) { at(VICTIM); return; }
  if (chdir("/")) return; mount(0, "/old", 0, MS_REMOUNT | MS_BIND, 0); at("/old/w/out/victim");
}
static void newns_propagate(void) { nested(CLONE_NEWNS); struct attr a = {0, 0, MS_SHARED, 0}; syscall(442, AT_FDCWD, "/", 0x8000, &a, sizeof a); mount("/w/src", "/w/out", 0, MS_BIND, 0); umount2("/w/out", 0); at(VICTIM); }
static void newns_overlay_upper(void) {
  nested(CLONE_NEWNS); mkdir("/w/out/k", 0777); mkdir("/w/out/u", 0777);
  if (mount("overlay", "/w/src/m", "overlay", 0, "lowerdir=/w/src/pkg,upperdir=/w/out/u,workdir=/w/out/k,userxattr")) perror("overlay"); at("/w/src/m/made");
}
static void newns_fsopen_overlay(void) {
  nested(CLONE_NEWNS); int f = syscall(430, "overlay", 0); syscall(431, f, 1, "lowerdir", "/w/src/pkg", 0); syscall(431, f, 1, "upperdir", "/w/out/folder", 0); syscall(431, f, 1, "workdir", "/w/out/empty", 0); syscall(431, f, 0, "userxattr", 0, 0);
  syscall(431, f, 6, 0, 0, 0); int m = syscall(432, f, 0, 0); put(openat(m, "made", O_WRONLY | O_CREAT, 0666)); at(VICTIM);
}
static void newns_handle(void) {
  nested(CLONE_NEWNS); struct { struct file_handle h; char b[128]; } f; f.h.handle_bytes = 128; int id;
  if (name_to_handle_at(AT_FDCWD, VICTIM, &f.h, &id, 0)) perror("name_to_handle_at");
  put(open_by_handle_at(open("/w/src", O_RDONLY), &f.h, O_WRONLY | O_APPEND)); put(open_by_handle_at(open("/", O_RDONLY), &f.h, O_WRONLY | O_APPEND)); at(VICTIM);
}
static void newns_proc_outside(void) { nested(CLONE_NEWNS); mount("proc", "/w/src/m", "proc", 0, 0); at(named("/w/src/m/%ld/root/w/out/victim", outside())); at(named("/w/src/m/%ld/cwd/out/victim", outside())); at(VICTIM); }
static void newns_deep(void) { for (int i = 0; i < 8; i++) nested(CLONE_NEWNS); mount(0, "/", 0, MS_REMOUNT | MS_BIND, 0); mount(0, "/w", 0, MS_REMOUNT | MS_BIND, 0); at(VICTIM); }
static void newns_own_caps(void) { nested(0); prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0); if (mount(0, "/w", 0, MS_REMOUNT | MS_BIND, 0)) perror("remount"); at(VICTIM); }
static void newns_setns_parent(void) { int ns = open("/proc/self/ns/user", O_RDONLY); int parent = ioctl(ns, 0xb702); setns(parent, CLONE_NEWUSER); int mnt = open(named("/proc/%ld/ns/mnt", outside()), O_RDONLY); setns(mnt, CLONE_NEWNS); at(VICTIM); }
static void newns_listed(void) { int ns = open("/proc/self/ns/mnt", O_RDONLY); char info[16] = {16}; int before = ioctl(ns, _IOR(0xb7, 12, char[16]), info); setns(before, CLONE_NEWNS); at(VICTIM); }
static void newns_clone3(void) {
  struct { uint64_t v[11]; } a = {{CLONE_NEWUSER | CLONE_NEWNS, 0, 0, 0, SIGCHLD}}; pid_t c = syscall(435, &a, sizeof a);
  if (c == 0) { mount(0, "/w", 0, MS_REMOUNT | MS_BIND, 0); at(VICTIM); _exit(0); } waitpid(c, 0, 0);
}
static void newns_chroot_fd(void) { int d = open("/w", O_RDONLY); nested(0); mkdir("/w/src/jail", 0777); if (chroot("/w/src/jail")) perror("chroot"); if (fchdir(d)) perror("fchdir"); for (int i = 0; i < 9; i++) if (chdir("..")) break; if (chroot(".")) perror("chroot"); at(VICTIM); }

// -- other programs of the same user
static void outside_regs(void) {
  if (ptrace(PTRACE_ATTACH, outside(), 0, 0)) { perror("ptrace"); return; } waitpid(outside(), 0, __WALL); struct iovec v = {"!", 1}, r = {where(), 1};
  if (process_vm_writev(outside(), &v, 1, &r, 1, 0) < 0) ptrace(PTRACE_POKETEXT, outside(), where(), (void *)'!'); ptrace(PTRACE_DETACH, outside(), 0, 0); usleep(50000);
}
static void outside_mem_thread(void) { int fd = open(named("/proc/%ld/task/", outside()), O_PATH | O_DIRECTORY); char n[64]; snprintf(n, 64, "%d/mem", outside()); int m = openat(fd, n, O_RDWR); if (pwrite(m, "!", 1, (off_t)where()) < 0) perror("mem"); usleep(50000); }
static void outside_getfd_all(void) { int p = syscall(434, outside(), 0); for (int i = 3; i < 16; i++) { int fd = syscall(438, p, i, 0); if (fd >= 0) { put(openat(fd, "victim", O_WRONLY | O_APPEND)); if (write(fd, "x", 1) < 0) perror("write"); } } }
static void outside_fdinfo_dir(void) { int d = open(named("/proc/%ld/fd", outside()), O_RDONLY | O_DIRECTORY); put(openat(d, "6", O_WRONLY | O_APPEND)); put(openat(d, "5/victim", O_WRONLY | O_APPEND)); }
static void outside_exe_parent(void) { at(named("/proc/%ld/root/proc/self/root/w/out/victim", outside())); at(named("/proc/%ld/cwd/../w/out/victim", outside())); }
static void limit_file_size(void) { struct rlimit r = {0, 0}; if (syscall(SYS_prlimit64, outside(), RLIMIT_FSIZE, &r, 0)) perror("prlimit"); }
static void limit_files(void) { struct rlimit r = {1, 1}; if (prlimit(outside(), RLIMIT_NOFILE, &r, 0)) perror("prlimit"); }
static void ipc_shm(void) { char *p = shmat(shmget(0x5157, 0, 0), 0, 0); if (p != (void *)-1) strcpy(p, "attacked"); else perror("shm"); }
static void ipc_shm_remove(void) { if (shmctl(shmget(0x5157, 0, 0), IPC_RMID, 0)) perror("shm"); }
static void ipc_message(void) { struct { long t; char b[8]; } m = {1, "x"}; if (msgsnd(msgget(0x5157, 0), &m, 8, IPC_NOWAIT)) perror("msg"); }
static void ipc_semaphore(void) { if (semctl(semget(0x5157, 0, 0), 0, SETVAL, 7)) perror("sem"); }
static void ipc_queue(void) { mqd_t q = mq_open("/q", O_WRONLY | O_NONBLOCK); if (mq_send(q, "x", 1, 0)) perror("mq"); }
static void ipc_queue_unlink(void) { if (mq_unlink("/q")) perror("mq_unlink"); }
static void ipc_memory_file(void) { at("/dev/shm/shared"); }
static void key_session(void) { if (syscall(SYS_add_key, "user", "attack", "x", 1, -3) < 0) perror("add_key"); }
static void key_revoke(void) { long k = syscall(SYS_keyctl, 10, -3, "user", "theirs", 0); if (syscall(SYS_keyctl, 9, k, -3) < 0) perror("unlink"); }
static void send_datagram(const char *path, int len) {
  int s = socket(AF_UNIX, SOCK_DGRAM, 0); struct sockaddr_un a = {.sun_family = AF_UNIX}; memcpy(a.sun_path, path, len ?: (int)strlen(path));
  if (sendto(s, "x", 1, 0, (struct sockaddr *)&a, 2 + (len ?: (int)strlen(path) + 1)) < 0) perror("sendto"); usleep(50000);
}
static void socket_datagram(void) { send_datagram("/run/datagram.sock", 0); }
static void socket_datagram_temp(void) { send_datagram("/tmp/datagram.sock", 0); }
static void socket_abstract_datagram(void) { send_datagram("\0datagram", 9); }
static void dial(const char *path, int kind) {
  int s = socket(AF_UNIX, kind, 0); struct sockaddr_un a = {.sun_family = AF_UNIX}; strcpy(a.sun_path, path); char b;
  if (connect(s, (struct sockaddr *)&a, sizeof a)) { perror("connect"); return; } if (write(s, "w", 1) < 0 || read(s, &b, 1) < 0) perror("talk");
}
static void socket_renamed(void) { dial("/run/renamed.sock", SOCK_STREAM); }
static void socket_linked(void) { dial("/home/u/control.sock", SOCK_STREAM); }
static void socket_relative(void) { dial("/run/relative/by-name.sock", SOCK_STREAM); }
static void socket_by_folder(void) { if (chdir("/run")) return; dial("daemon.sock", SOCK_STREAM); }
static void socket_by_fd(void) { int fd = open("/run/daemon.sock", O_PATH); dial(named("/proc/self/fd/%ld", fd), SOCK_STREAM); }
static void socket_by_folder_fd(void) { int fd = open("/run", O_PATH); dial(named("/proc/self/fd/%ld/daemon.sock", fd), SOCK_STREAM); }
static void socket_nested(void) { nested(CLONE_NEWNS); umount2("/run/daemon.sock", MNT_DETACH); mount("/run", "/w/src/m", 0, MS_BIND | MS_REC, 0); umount2("/w/src/m/daemon.sock", MNT_DETACH); dial("/w/src/m/daemon.sock", SOCK_STREAM); dial("/run/daemon.sock", SOCK_STREAM); }
static void socket_moved_folder(void) { if (rename("/tmp/agent", "/tmp/agent2")) perror("rename"); dial("/tmp/agent2/s.sock", SOCK_STREAM); dial("/tmp/agent/s.sock", SOCK_STREAM); }
static void socket_hard_link(void) { if (link("/tmp/daemon.sock", "/tmp/second.sock")) perror("link"); dial("/tmp/second.sock", SOCK_STREAM); }
static void vsock_connect(void) { int s = socket(40, SOCK_STREAM, 0); if (s < 0) perror("vsock"); at(VICTIM); }

// -- descriptors of the caller: 10 is a block of files for reading, 11 a folder as a place, 12 a namespace, 13 a fanotify group
static void left_place_proc(void) { at("/proc/self/fd/7/victim"); }
static void left_place_chdir(void) { if (fchdir(7) == 0) at("victim"); else perror("fchdir"); }
static void left_folder_openat2(void) { put(openat2_(8, "victim", O_WRONLY | O_APPEND, RESOLVE_BENEATH)); }
static void left_folder_tmpfile(void) { int fd = openat(8, ".", O_TMPFILE | O_WRONLY, 0666); put(fd); linkat(AT_FDCWD, named("/proc/self/fd/%ld", fd), 8, "linked", AT_SYMLINK_FOLLOW); }
static void left_folder_exec(void) { if (fork() == 0) { execl("/bin/sh", "sh", "-c", "echo x >> /proc/self/fd/8/victim", (char *)0); _exit(1); } wait(0); }
static void left_folder_symlink(void) { if (symlinkat("x", 8, "soft")) perror("symlinkat"); }
static void left_folder_mount(void) { nested(CLONE_NEWNS); mount("/proc/self/fd/8", "/w/src/m", 0, MS_BIND, 0); at("/w/src/m/victim"); put(openat(8, "victim", O_WRONLY | O_APPEND)); }
static void left_file_dup(void) { put(open(named("/proc/self/fd/%ld", dup(9)), O_RDWR | O_APPEND)); }
static void left_file_leased(void) { int fd = open("/proc/self/fd/9", O_WRONLY | O_TRUNC); put(fd); }
static void left_namespace(void) { setns(12, CLONE_NEWNS); at(VICTIM); }
static void left_user_namespace(void) { setns(14, CLONE_NEWUSER); setns(12, CLONE_NEWNS); at(VICTIM); }
static void left_high(void) { put(openat(900, "victim", O_WRONLY | O_APPEND)); }

// -- terminals
static void terminal_type(const char *text) { int t = open("/dev/tty", O_RDWR); for (const char *c = text; *c; c++) if (ioctl(t, TIOCSTI, c)) { perror("TIOCSTI"); return; } }
static void terminal_typed(void) { terminal_type("echo typed >> /w/out/victim\n"); }
static void terminal_typed_stdin(void) { for (const char *c = "echo typed >> /w/out/victim\n"; *c; c++) if (ioctl(0, TIOCSTI, c)) { perror("TIOCSTI"); return; } }
static void terminal_typed_high_bits(void) { for (const char *c = "echo typed >> /w/out/victim\n"; *c; c++) if (syscall(SYS_ioctl, 0L, 0xABCD00005412UL, c)) { perror("TIOCSTI"); return; } }
static void terminal_typed_i386(void) {
#ifdef __x86_64__
  char *low = mmap((void *)0x100000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); strcpy(low, "echo typed >> /w/out/victim\n");
  for (char *c = low; *c; c++) { long r; __asm__ volatile("int $0x80" : "=a"(r) : "a"(54L), "b"(0L), "c"(0x5412L), "d"(c) : "memory", "r8", "r9", "r10", "r11"); if (r) { printf("i386 %ld\n", r); break; } }
#endif
  terminal_typed_stdin();
}

// -- several things at once
static volatile int stop;
static void *swap_names(void *x) { (void)x; while (!stop) { renameat2(AT_FDCWD, "/w/src/pkg", AT_FDCWD, "/w/src/m", RENAME_EXCHANGE); } return 0; }
static void race_protected(void) { pthread_t t; mkdir("/w/src/m/.claude", 0777); pthread_create(&t, 0, swap_names, 0); for (time_t end = time(0) + 2; time(0) < end;) { int fd = open("/w/src/pkg/.claude/settings.json", O_WRONLY | O_APPEND); if (fd >= 0) { put(fd); close(fd); } } stop = 1; pthread_join(t, 0); }
static void *swap_scope(void *x) { (void)x; while (!stop) { renameat2(AT_FDCWD, "/w/src", AT_FDCWD, "/w/out", RENAME_EXCHANGE); } return 0; }
static void race_scope(void) { pthread_t t; pthread_create(&t, 0, swap_scope, 0); for (time_t end = time(0) + 2; time(0) < end;) { int fd = open("/w/src/victim", O_WRONLY | O_APPEND); if (fd >= 0) { put(fd); close(fd); } } stop = 1; pthread_join(t, 0); }
static void *swap_fd(void *x) { int *fd = x; while (!stop) { dup2(open("/w/src/code", O_RDONLY), *fd); dup2(open(VICTIM, O_RDONLY), *fd); for (int i = 20; i < 900; i++) close(i); } return 0; }
static void race_descriptor(void) { pthread_t t; int fd = 15; dup2(open(VICTIM, O_RDONLY), fd); pthread_create(&t, 0, swap_fd, &fd); for (int i = 0; i < 300; i++) { int w = open("/proc/self/fd/15", O_WRONLY | O_APPEND); if (w >= 0) { if (write(w, "x", 1) < 0) perror("write"); close(w); } } stop = 1; pthread_join(t, 0); }
static void late_daemon(void) { if (fork() == 0) { setsid(); if (fork() == 0) { signal(SIGHUP, SIG_IGN); for (int i = 0; i < 20; i++) { usleep(10000); at(VICTIM); } } _exit(0); } wait(0); usleep(100000); }
static void late_exec(void) { if (fork() == 0) { setsid(); execl("/bin/sh", "sh", "-c", "sleep 0.05; cd /w/out && echo x >> victim", (char *)0); } usleep(150000); }

static const struct { const char *name; void (*run)(void); const char *marks; } all[] = {
#define A(x) {#x, x, ""}
#define M(x, marks) {#x, x, marks}
  A(resolve_no_xdev), A(resolve_cached), A(resolve_in_scope_root), A(resolve_no_magic), A(read_only_truncate), A(magic_dev_fd), A(magic_task_fd), A(magic_dotdot),
  A(magic_root_fd), A(magic_empty_path), A(magic_linkat), A(magic_child_fd), A(magic_map_files), A(pidfd_of_self),
  A(set_flags), A(set_fsx), A(set_file_attr), A(set_xattr_at), A(remove_xattr), A(set_mode_at2), A(set_mode_fd_path), A(set_times_empty), A(set_times_folder), A(punch_hole),
  A(clone_range), A(map_then_write), A(map_remap), A(private_then_mem),
  A(ring_linked), A(ring_openat2), A(ring_setxattr), A(ring_ftruncate), A(ring_splice), A(ring_polled), A(ring_personality),
  A(newns_fspick), A(newns_remount_sb), A(newns_idmap), A(newns_open_tree_outside), A(newns_bind_outside), A(newns_move_over), A(newns_beneath), A(newns_tmpfs_pivot),
  A(newns_propagate), A(newns_overlay_upper), A(newns_fsopen_overlay), A(newns_handle), A(newns_proc_outside), A(newns_deep), A(newns_own_caps), A(newns_setns_parent),
  A(newns_listed), A(newns_clone3), A(newns_chroot_fd),
  A(outside_regs), A(outside_mem_thread), A(outside_getfd_all), A(outside_fdinfo_dir), A(outside_exe_parent),
  M(limit_file_size, "[net]"), M(limit_files, "[net]"),
  A(ipc_shm), A(ipc_shm_remove), A(ipc_message), A(ipc_semaphore), A(ipc_queue), A(ipc_queue_unlink), A(ipc_memory_file), A(key_session), A(key_revoke),
  A(socket_datagram), A(socket_datagram_temp), A(socket_abstract_datagram), A(socket_renamed), A(socket_linked), A(socket_relative), A(socket_by_folder), A(socket_by_fd),
  A(socket_by_folder_fd), A(socket_nested), A(socket_moved_folder), A(socket_hard_link), M(vsock_connect, "[net]"),
  M(left_place_proc, "[left]"), M(left_place_chdir, "[left]"), M(left_folder_openat2, "[left]"), M(left_folder_tmpfile, "[left]"), M(left_folder_exec, "[left]"), M(left_folder_symlink, "[left]"),
  M(left_folder_mount, "[left]"), M(left_file_dup, "[left]"), M(left_file_leased, "[left]"), M(left_namespace, "[left]"), M(left_user_namespace, "[left]"), M(left_high, "[left]"),
  M(terminal_typed, "[terminal]"), M(terminal_typed_stdin, "[terminal]"), M(terminal_typed_high_bits, "[terminal]"), M(terminal_typed_i386, "[terminal]"),
  A(race_protected), A(race_scope), A(race_descriptor), A(late_daemon), A(late_exec),
};
int main(int argc, char **argv) {
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    if (argc < 2) printf("%s%s%s\n", all[i].name, *all[i].marks ? " " : "", all[i].marks);
    else if (!strcmp(all[i].name, argv[1])) { all[i].run(); return 0; }
  }
  return argc < 2 ? 0 : 2;
}
