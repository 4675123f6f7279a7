// Programs that try to change something out of scope by calls of recent kernels, by handles, keys and unusual sockets. Each
// is one function; `newer_calls NAME` runs it. The world is that of `attacks.c`. Most end with a plain write, so that
// they work unconfined on older kernels too.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/tcp.h>
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
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define VICTIM "/w/out/victim"
#define OUT "/w/out"
static void put(int fd) { if (fd < 0) perror("open"); else if (write(fd, "attacked\n", 9) < 0) perror("write"); }
static void at(const char *path) { put(open(path, O_WRONLY | O_APPEND | O_CREAT, 0666)); }
static pid_t outside(void) { return atoi(getenv("OUTSIDE") ?: "0"); }
static int nested(int flags) {
  uid_t u = geteuid(); gid_t g = getegid(); if (unshare(flags | CLONE_NEWUSER)) { perror("unshare"); return -1; }
  int fd = open("/proc/self/setgroups", O_WRONLY); if (write(fd, "deny", 4) < 0) perror("setgroups");
  char b[64]; snprintf(b, 64, "0 %d 1", u); fd = open("/proc/self/uid_map", O_WRONLY); if (write(fd, b, strlen(b)) < 0) perror("uid_map");
  snprintf(b, 64, "0 %d 1", g); fd = open("/proc/self/gid_map", O_WRONLY); if (write(fd, b, strlen(b)) < 0) perror("gid_map"); return 0;
}
struct handle { struct file_handle h; unsigned char b[128]; };
static struct handle handle_of(const char *path, int flags) { struct handle f = {{128}}; int id; if (name_to_handle_at(AT_FDCWD, path, &f.h, &id, flags)) perror("name_to_handle_at"); return f; }

// -- namespaces by descriptors of processes, by handles and by lists
#define PROCESS_CALL(n) _IO(0xFF, n)
static void namespace_of_process(void) { int p = syscall(434, outside(), 0), ns = ioctl(p, PROCESS_CALL(3)); if (ns < 0) perror("mount namespace"); setns(ioctl(p, PROCESS_CALL(9)), CLONE_NEWUSER); setns(ns, CLONE_NEWNS); at(VICTIM); }
static void namespace_of_parent(void) { int p = syscall(434, getppid(), 0); setns(p, CLONE_NEWUSER | CLONE_NEWNS); setns(ioctl(p, PROCESS_CALL(3)), CLONE_NEWNS); at(VICTIM); }
static void namespace_by_handle(void) {
  struct { unsigned bytes; int type; uint64_t id; uint32_t kind, inode; } h = {16, 0xf1, 0, 0, 0};
  for (h.id = 1; h.id < 4096; h.id++) { int ns = syscall(SYS_open_by_handle_at, -10003, &h, O_RDONLY); if (ns >= 0) { setns(ns, CLONE_NEWNS); close(ns); } }
  at(VICTIM);
}
static void namespace_by_handle_nested(void) { nested(CLONE_NEWNS); namespace_by_handle(); }
static void namespace_listed(void) {
  struct { uint32_t size, spare; uint64_t id; uint32_t kind, spare2; uint64_t user; } request = {32, 0, 0, 0, 0, 0}; uint64_t ids[64]; long n = syscall(470, &request, ids, 64, 0);
  struct { unsigned bytes; int type; uint64_t id; uint32_t kind, inode; } h = {16, 0xf1, 0, 0, 0};
  for (long i = 0; i < n; i++) { h.id = ids[i]; int ns = syscall(SYS_open_by_handle_at, -10003, &h, O_RDONLY); if (ns >= 0) setns(ns, 0); }
  at(VICTIM);
}
static void process_by_handle(void) { struct { unsigned bytes; int type; uint64_t inode; } h = {8, 0xf0, 0}; struct stat s; int p = syscall(434, outside(), 0); if (fstat(p, &s) == 0) h.inode = s.st_ino; int q = syscall(SYS_open_by_handle_at, -10002, &h, O_RDONLY); put(syscall(438, q, 6, 0)); put(syscall(438, p, 6, 0)); }
static void process_child_namespace(void) { pid_t c = fork(); if (c == 0) { nested(CLONE_NEWNS); mount(0, "/", 0, MS_REC | MS_SHARED, 0); pause(); } usleep(100000); int p = syscall(434, c, 0); setns(p, CLONE_NEWUSER | CLONE_NEWNS); mount(0, OUT, 0, MS_REMOUNT | MS_BIND, 0); umount2("/w", MNT_DETACH); at(VICTIM); kill(c, 9); }

// -- folders by their handles, which need no name
static void handle_folder_by(const char *mount_) { struct handle f = handle_of(OUT, 0); int d = open_by_handle_at(open(mount_, O_RDONLY | O_DIRECTORY), &f.h, O_RDONLY | O_DIRECTORY); if (d < 0) perror(mount_); else put(openat(d, "victim", O_WRONLY | O_APPEND)); }
static void handle_folder(void) { nested(CLONE_NEWNS); handle_folder_by("/w/src"); handle_folder_by("/w/src/m"); handle_folder_by("/tmp"); handle_folder_by("/w"); at(VICTIM); }
static void handle_folder_of_bind(void) { nested(CLONE_NEWNS); mount("/w", "/w/src/m", 0, MS_BIND, 0); handle_folder_by("/w/src/m"); mount("/w/src", "/w/src/m", 0, MS_BIND, 0); handle_folder_by("/w/src/m"); at(VICTIM); }
static void handle_folder_of_tree(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, "/w/src", 1 | 0x8000); struct handle f = handle_of(OUT, 0); int d = open_by_handle_at(t, &f.h, O_RDONLY | O_DIRECTORY); put(openat(d, "victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void handle_connectable(void) { nested(CLONE_NEWNS); struct handle f = handle_of(VICTIM, 2); put(open_by_handle_at(open("/w/src", O_RDONLY), &f.h, O_WRONLY | O_APPEND)); at(VICTIM); }
static void handle_of_project_in_temp(void) { nested(CLONE_NEWNS); struct handle f = handle_of("/tmp/project/out", 0); int d = open_by_handle_at(open("/tmp", O_RDONLY | O_DIRECTORY), &f.h, O_RDONLY | O_DIRECTORY); put(openat(d, "victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void handle_rename(void) { struct handle f = handle_of(OUT, 0); int d = open_by_handle_at(open("/w/src", O_RDONLY | O_DIRECTORY), &f.h, O_RDONLY | O_DIRECTORY); renameat(d, "victim", d, "moved"); rename(VICTIM, OUT "/moved"); }

// -- mounts on detached mounts, from Linux 6.15 on
static void detached_on_detached(void) { nested(CLONE_NEWNS); int a = syscall(428, AT_FDCWD, "/w/src", 1 | 0x8000), b = syscall(428, AT_FDCWD, OUT, 1 | 0x8000); syscall(429, b, "", a, "m", 4); put(openat(a, "m/victim", O_WRONLY | O_APPEND)); put(openat(b, "victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void detached_copied_twice(void) { nested(CLONE_NEWNS); int a = syscall(428, AT_FDCWD, "/w", 1 | 0x8000), b = syscall(428, a, "", 1 | 0x8000 | 0x1000); uint64_t attr[4] = {0, 1, 0, 0}; syscall(442, b, "", 0x1000 | 0x8000, attr, 32); put(openat(b, "out/victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void detached_unmounted(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, "/", 1 | 0x8000); char n[80]; snprintf(n, 80, "/proc/self/fd/%d/w", t); umount2(n, MNT_DETACH); put(openat(t, "w/out/victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void detached_by_child_root(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, "/w", 1 | 0x8000); if (fchdir(t) || chroot(".")) perror("chroot"); at("/out/victim"); at(VICTIM); }
static void detached_idmapped(void) { int u = open("/proc/self/ns/user", O_RDONLY); nested(CLONE_NEWNS); uint64_t attr[4] = {0x100000, 1, 0, u}; int t = syscall(467, AT_FDCWD, OUT, 1 | 0x8000, attr, 32); put(openat(t, "victim", O_WRONLY | O_APPEND)); at(VICTIM); }
static void binary_format(void) { nested(CLONE_NEWNS); mount("binfmt_misc", "/w/src/m", "binfmt_misc", 0, 0); int fd = open("/w/src/m/register", O_WRONLY); if (write(fd, ":x:E::x::/bin/sh:CF", 19) < 0) perror("register"); at(VICTIM); }

// -- keys of the user, of whom other programs ask
static const char *key(const char *name) { static char text[64]; snprintf(text, sizeof text, "%s-%s", name, getenv("WORLD") ?: ""); return text; }
static void key_of_user(void) { if (syscall(SYS_add_key, "user", key("planted"), "x", 1L, -4) < 0) perror("add_key"); }
static void key_of_user_session(void) { if (syscall(SYS_add_key, "user", key("planted"), "x", 1L, -5) < 0) perror("add_key"); key_of_user(); }
static void key_linked(void) { long k = syscall(SYS_add_key, "user", key("planted"), "x", 1L, -2); if (syscall(SYS_keyctl, 8, k, -4) < 0) perror("link"); }
static void key_revoked(void) { long k = syscall(SYS_keyctl, 10, -4, "user", key("theirs"), 0); if (syscall(SYS_keyctl, 9, k, -4) < 0) perror("unlink"); }

// -- the network without a plain connect
static struct sockaddr_in server(int port) { struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(0x7f000001)}; return a; }
static void net_fast_open(void) { struct sockaddr_in a = server(8765); if (sendto(socket(AF_INET, SOCK_STREAM, 0), "x", 1, MSG_FASTOPEN, (void *)&a, sizeof a) < 0) { perror("fast open"); connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&a, sizeof a); } }
static void net_multipath(void) { struct sockaddr_in a = server(8765); int s = socket(AF_INET, SOCK_STREAM, 262); if (connect(s, (void *)&a, sizeof a)) { perror("mptcp"); connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&a, sizeof a); } }
static void net_mapped_v6(void) { struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_port = htons(8765)}; inet_pton(AF_INET6, "::ffff:127.0.0.1", &a.sin6_addr); if (connect(socket(AF_INET6, SOCK_STREAM, 0), (void *)&a, sizeof a)) perror("connect"); }
static void net_any_address(void) { struct sockaddr_in a = server(8765); a.sin_addr.s_addr = 0; if (connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&a, sizeof a)) perror("connect"); }
static void net_many_messages(void) { struct sockaddr_in a = server(8766); struct iovec v = {"x", 1}; struct mmsghdr m = {{&a, sizeof a, &v, 1}}; if (sendmmsg(socket(AF_INET, SOCK_DGRAM, 0), &m, 1, 0) < 0) perror("sendmmsg"); }
static void net_bound_device(void) { struct sockaddr_in a = server(8766); int s = socket(AF_INET, SOCK_DGRAM, 0); setsockopt(s, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3); if (sendto(s, "x", 1, 0, (void *)&a, sizeof a) < 0) perror("sendto"); }
static void net_of_process(void) { setns(open("/proc/1/ns/net", O_RDONLY), CLONE_NEWNET); int p = syscall(434, outside(), 0); setns(p, CLONE_NEWNET); setns(ioctl(p, PROCESS_CALL(4)), CLONE_NEWNET); net_any_address(); }
static void net_of_process_nested(void) { int p = syscall(434, outside(), 0); nested(0); if (setns(p, CLONE_NEWNET)) perror("setns"); net_any_address(); }
static void net_by_handle(void) { struct { unsigned bytes; int type; uint64_t id; uint32_t kind, inode; } h = {16, 0xf1, 0, 0, 0}; for (h.id = 1; h.id < 4096; h.id++) { int ns = syscall(SYS_open_by_handle_at, -10003, &h, O_RDONLY); if (ns >= 0) { setns(ns, CLONE_NEWNET); close(ns); } } net_any_address(); }
static void net_by_ring(void) {
  struct sockaddr_in a = server(8765); struct io_uring_params p = {0}; int r = syscall(SYS_io_uring_setup, 4, &p); if (r < 0) { perror("ring"); net_any_address(); return; }
  char *q = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, r, IORING_OFF_SQ_RING); struct io_uring_sqe *s = mmap(0, p.sq_entries * sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, r, IORING_OFF_SQES);
  int slot = -1; syscall(SYS_io_uring_register, r, IORING_REGISTER_FILES, &slot, 1); memset(s, 0, 2 * sizeof *s); s->opcode = 45; s->fd = AF_INET; s->off = SOCK_STREAM; s->file_index = 1; s->flags = IOSQE_IO_LINK;
  s[1].opcode = IORING_OP_CONNECT; s[1].addr = (uint64_t)&a; s[1].off = sizeof a; s[1].flags = IOSQE_FIXED_FILE;
  unsigned *array = (unsigned *)(q + p.sq_off.array); array[0] = 0; array[1] = 1; *(unsigned *)(q + p.sq_off.tail) = 2; if (syscall(SYS_io_uring_enter, r, 2, 2, IORING_ENTER_GETEVENTS, 0, 0) < 0) perror("enter");
}
static void net_of_i386(void) {
#ifdef __x86_64__
  int *low = mmap((void *)0x300000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0); long fd, r; low[0] = AF_INET; low[1] = SOCK_STREAM; low[2] = 0; *(struct sockaddr_in *)(low + 16) = server(8765);
  __asm__ volatile("int $0x80" : "=a"(fd) : "a"(102L), "b"(1L), "c"(low) : "memory", "r8", "r9", "r10", "r11");
  if (fd >= 0) { low[0] = fd; low[1] = (int)(long)(low + 16); low[2] = 16; __asm__ volatile("int $0x80" : "=a"(r) : "a"(102L), "b"(3L), "c"(low) : "memory", "r8", "r9", "r10", "r11"); return; }
#endif
  net_any_address();
}
static void net_passed_socket(void) {
  struct sockaddr_un a = {.sun_family = AF_UNIX}; memcpy(a.sun_path, "\0datagram", 9); if (sendto(socket(AF_UNIX, SOCK_DGRAM, 0), "x", 1, 0, (void *)&a, 2 + 9) < 0) perror("sendto");
}

// -- signals by groups and sessions
static void signal_group_of_process(void) { int p = syscall(434, outside(), 0); if (syscall(424, p, SIGKILL, 0, 4)) { perror("group"); syscall(424, p, SIGKILL, 0, 0); } }
static void signal_thread_of_process(void) { if (syscall(424, syscall(434, outside(), O_EXCL), SIGKILL, 0, 1)) perror("thread"); kill(outside(), SIGKILL); }
static void signal_info(void) { siginfo_t i = {.si_signo = SIGTERM, .si_code = SI_QUEUE}; if (syscall(SYS_rt_tgsigqueueinfo, outside(), outside(), SIGTERM, &i)) perror("queueinfo"); }
static void signal_by_ring_of_messages(void) { int s[2]; socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s); struct f_owner_ex o = {F_OWNER_PID, outside()}; fcntl(s[0], F_SETOWN_EX, &o); fcntl(s[0], F_SETSIG, SIGKILL); fcntl(s[0], F_SETFL, O_ASYNC); if (write(s[1], "x", 1) < 0) perror("write"); usleep(50000); }

static const struct { const char *name; void (*run)(void); const char *marks; } all[] = {
#define A(x) {#x, x, ""}
#define N(x) {#x, x, "[net]"}
  A(namespace_of_process), A(namespace_of_parent), A(namespace_by_handle), A(namespace_by_handle_nested), A(namespace_listed), A(process_by_handle), A(process_child_namespace),
  A(handle_folder), A(handle_folder_of_bind), A(handle_folder_of_tree), A(handle_connectable), A(handle_of_project_in_temp), A(handle_rename),
  A(detached_on_detached), A(detached_copied_twice), A(detached_unmounted), A(detached_by_child_root), A(detached_idmapped), A(binary_format),
  A(key_of_user), A(key_of_user_session), A(key_linked), A(key_revoked),
  N(net_fast_open), N(net_multipath), N(net_mapped_v6), N(net_any_address), N(net_many_messages), N(net_bound_device), N(net_of_process), N(net_of_process_nested), N(net_by_handle), N(net_by_ring), N(net_of_i386), N(net_passed_socket),
  N(signal_group_of_process), N(signal_thread_of_process), N(signal_info), N(signal_by_ring_of_messages),
};
int main(int argc, char **argv) {
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    if (argc < 2) printf("%s%s%s\n", all[i].name, *all[i].marks ? " " : "", all[i].marks);
    else if (!strcmp(all[i].name, argv[1])) { all[i].run(); return 0; }
  }
  return argc < 2 ? 0 : 2;
}
