// Programs that try to read what `--sealed` hides, and print it. Each is one function; `private_reads NAME` runs it. The
// driver looks for the secret in the output.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <arpa/inet.h>
#include <unistd.h>

#define KEY "/home/u/.ssh/key"
static pid_t outside(void) { return atoi(getenv("OUTSIDE") ?: "0"); }
// The canary keeps the secret at the end of its buffer.
static char *where(void) { return (char *)strtoul(getenv("ADDRESS") ?: "0", 0, 16) + 32; }
static void show(int fd) { char b[8192]; ssize_t n; if (fd < 0) { perror("open"); return; } while ((n = read(fd, b, sizeof b)) > 0) for (ssize_t i = 0; i < n; i++) putchar(b[i] ? b[i] : '\n'); }
static void from(const char *path) { show(open(path, O_RDONLY)); }
static char *of_process(const char *rest) { static char name[256]; snprintf(name, sizeof name, "/proc/%d/%s", outside(), rest); return name; }
static int nested(int flags) {
  uid_t u = geteuid(); gid_t g = getegid(); if (unshare(flags | CLONE_NEWUSER)) { perror("unshare"); return -1; }
  int fd = open("/proc/self/setgroups", O_WRONLY); if (write(fd, "deny", 4) < 0) perror("setgroups");
  char b[64]; snprintf(b, 64, "0 %d 1", u); fd = open("/proc/self/uid_map", O_WRONLY); if (write(fd, b, strlen(b)) < 0) perror("uid_map");
  snprintf(b, 64, "0 %d 1", g); fd = open("/proc/self/gid_map", O_WRONLY); if (write(fd, b, strlen(b)) < 0) perror("gid_map"); return 0;
}

// -- files
static void read_file(void) { from(KEY); }
static void read_by_root(void) { from("/proc/self/root" KEY); }
static void read_by_place(void) { char n[64]; snprintf(n, 64, "/proc/self/fd/%d", open(KEY, O_PATH)); from(n); }
static void read_mapped(void) { int fd = open(KEY, O_RDONLY); char *p = mmap(0, 4096, PROT_READ, MAP_PRIVATE, fd, 0); if (p != MAP_FAILED) puts(p); }
static void read_by_ring(void) {
  struct io_uring_params p = {0}; int r = syscall(SYS_io_uring_setup, 4, &p); if (r < 0) { from(KEY); return; }
  char *q = mmap(0, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, r, IORING_OFF_SQ_RING), *c = mmap(0, p.cq_off.cqes + p.cq_entries * 16, PROT_READ, MAP_SHARED, r, IORING_OFF_CQ_RING);
  struct io_uring_sqe *s = mmap(0, p.sq_entries * sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, r, IORING_OFF_SQES);
  memset(s, 0, sizeof *s); s->opcode = IORING_OP_OPENAT; s->fd = AT_FDCWD; s->addr = (uint64_t)KEY; *(unsigned *)(q + p.sq_off.array) = 0; *(unsigned *)(q + p.sq_off.tail) = 1;
  syscall(SYS_io_uring_enter, r, 1, 1, IORING_ENTER_GETEVENTS, 0, 0); show(((struct io_uring_cqe *)(c + p.cq_off.cqes))->res);
}
static void read_linked_before(void) { from("/w/src/to_key"); }
static void read_linked_now(void) { if (symlink("../../home/u/.ssh", "/w/src/soft")) perror("symlink"); from("/w/src/soft/key"); }
static void read_linked_hard(void) { if (link("/w/.env", "/w/src/hard")) perror("link"); from("/w/src/hard"); }
static void read_renamed(void) { if (rename("/w/.env", "/w/src/renamed")) perror("rename"); from("/w/src/renamed"); }
static void read_exchanged(void) { if (renameat2(AT_FDCWD, "/w/.env", AT_FDCWD, "/w/src/code", RENAME_EXCHANGE)) perror("rename"); from("/w/src/code"); }
static void inherited_folder_read(void) { show(openat(8, "../.env", O_RDONLY)); from(KEY); }

// -- other processes
static void process_root(void) { from(of_process("root" KEY)); }
static void process_cwd(void) { from(of_process("cwd/.env")); }
static void process_environment(void) { from(of_process("environ")); }
static void process_memory_file(void) { char b[16] = {0}; int fd = open(of_process("mem"), O_RDONLY); if (pread(fd, b, 8, (off_t)where()) > 0) puts(b); else perror("mem"); }
static void process_memory(void) { char b[16] = {0}; struct iovec l = {b, 8}, r = {where(), 8}; if (process_vm_readv(outside(), &l, 1, &r, 1, 0) > 0) puts(b); else perror("process_vm_readv"); }
static void process_traced(void) { if (ptrace(PTRACE_ATTACH, outside(), 0, 0)) { perror("ptrace"); return; } waitpid(outside(), 0, 0); long w = ptrace(PTRACE_PEEKDATA, outside(), where(), 0); fwrite(&w, 1, 8, stdout); ptrace(PTRACE_DETACH, outside(), 0, 0); }
static void process_descriptor(void) { show(syscall(438, syscall(434, outside(), 0), 4, 0)); }
static void process_descriptor_file(void) { from(of_process("fd/4")); }
static void process_mapped_file(void) { from(of_process("root/w/.env")); }
static void process_namespace(void) { if (setns(open(of_process("ns/mnt"), O_RDONLY), CLONE_NEWNS)) { perror("setns"); setns(syscall(434, outside(), 0), CLONE_NEWNS); } from(KEY); }

// -- mounts that cover, and what is below them
static void below_detached(void) { nested(CLONE_NEWNS); umount2("/home/u", MNT_DETACH); from(KEY); umount2("/home", MNT_DETACH); from(KEY); }
static void below_plain_bind(void) { nested(CLONE_NEWNS); if (mount("/", "/w/src/m", 0, MS_BIND, 0)) perror("bind"); from("/w/src/m" KEY); from(KEY); }
static void below_deep_bind(void) { nested(CLONE_NEWNS); mount("/", "/w/src/m", 0, MS_BIND | MS_REC, 0); umount2("/w/src/m/home/u", MNT_DETACH); from("/w/src/m" KEY); umount2("/w/src/m/home", MNT_DETACH); from("/w/src/m" KEY); from(KEY); }
static void below_tree(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, "/", 1); show(openat(t, KEY + 1, O_RDONLY)); from(KEY); }
static void below_tree_of_folder(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, "/home", 1); show(openat(t, "u/.ssh/key", O_RDONLY)); from(KEY); }
static void below_moved(void) { nested(CLONE_NEWNS); mkdir("/w/src/away", 0777); mount("/home/u", "/w/src/away", 0, MS_MOVE, 0); mount("/home", "/w/src/away", 0, MS_MOVE, 0); from(KEY); }
static void below_overlay(void) { nested(CLONE_NEWNS); if (mount("overlay", "/w/src/m", "overlay", 0, "lowerdir=/home/u:/w/src/pkg,userxattr")) perror("overlay"); from("/w/src/m/.ssh/key"); from(KEY); }
static void below_pivot(void) { nested(CLONE_NEWNS); mount("t", "/w/src/m", "tmpfs", 0, 0); mkdir("/w/src/m/old", 0777); if (syscall(SYS_pivot_root, "/w/src/m", "/w/src/m/old")) { from(KEY); return; } if (chdir("/")) return; umount2("/old/home/u", MNT_DETACH); umount2("/old/home", MNT_DETACH); from("/old" KEY); }
static void below_file_cover(void) { nested(CLONE_NEWNS); umount2("/w/.env", MNT_DETACH); from("/w/.env"); }
static void below_cover_of_parent(void) { nested(CLONE_NEWNS); int t = syscall(428, AT_FDCWD, "/w", 1); show(openat(t, ".env", O_RDONLY)); from("/w/.env"); }
static void below_temporary(void) { nested(CLONE_NEWNS); umount2("/tmp", MNT_DETACH); from("/tmp/private"); }
static void below_new_processes(void) { nested(CLONE_NEWNS | CLONE_NEWPID); if (fork() == 0) { mount("proc", "/w/src/m", "proc", 0, 0); from(of_process("root" KEY)); _exit(0); } wait(0); from(KEY); }

// -- memory, keys and sockets of other programs
static void shared_memory(void) { char *p = shmat(shmget(0x5157, 64, 0), 0, SHM_RDONLY); if (p == (char *)-1) perror("shm"); else puts(p + 32); }
static void shared_memory_file(void) { from("/dev/shm/shared"); }
static void shared_key(void) { char b[64] = {0}; int key = syscall(SYS_keyctl, 10, -3, "user", "theirs", 0); if (syscall(SYS_keyctl, 11, key, b, 63) > 0) puts(b); else perror("keyctl"); }
static void told(int s, struct sockaddr *a, socklen_t n) { char b[256] = {0}; if (connect(s, a, n)) { perror("connect"); return; } if (write(s, "x", 1) < 0) perror("write"); while (read(s, b, 255) > 0) { puts(b); memset(b, 0, 256); } }
static void told_by_socket(void) { struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "/run/daemon.sock"}; told(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&a, sizeof a); }
static void told_by_abstract_socket(void) { struct sockaddr_un a = {.sun_family = AF_UNIX}; memcpy(a.sun_path, "\0daemon", 7); told(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&a, 2 + 7); }
static void told_by_network(void) { struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(8765), .sin_addr.s_addr = htonl(0x7f000001)}; told(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&a, sizeof a); }
static void told_by_multipath(void) { struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(8765), .sin_addr.s_addr = htonl(0x7f000001)}; int s = socket(AF_INET, SOCK_STREAM, 262); told(s < 0 ? socket(AF_INET, SOCK_STREAM, 0) : s, (struct sockaddr *)&a, sizeof a); }

static const struct { const char *name; void (*run)(void); } all[] = {
#define A(x) {#x, x}
  A(read_file), A(read_by_root), A(read_by_place), A(read_mapped), A(read_by_ring), A(read_linked_before), A(read_linked_now), A(read_linked_hard), A(read_renamed), A(read_exchanged), A(inherited_folder_read),
  A(process_root), A(process_cwd), A(process_environment), A(process_memory_file), A(process_memory), A(process_traced), A(process_descriptor), A(process_descriptor_file), A(process_mapped_file), A(process_namespace),
  A(below_detached), A(below_plain_bind), A(below_deep_bind), A(below_tree), A(below_tree_of_folder), A(below_moved), A(below_overlay), A(below_pivot), A(below_file_cover), A(below_cover_of_parent), A(below_temporary), A(below_new_processes),
  A(shared_memory), A(shared_memory_file), A(shared_key), A(told_by_socket), A(told_by_abstract_socket), A(told_by_network), A(told_by_multipath),
};
int main(int argc, char **argv) {
  setvbuf(stdout, 0, _IOLBF, 0);
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    if (argc < 2) printf("%s [sealed]\n", all[i].name);
    else if (!strcmp(all[i].name, argv[1])) { all[i].run(); return 0; }
  }
  return argc < 2 ? 0 : 2;
}
