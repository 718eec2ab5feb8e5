//! How much memory a run may take.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most that a run may take, on whatever machine, if nobody says otherwise.
pub(crate) const MOST: usize = 16 << 30;

/// The limit once it is known; 0 before.
static LIMIT: AtomicUsize = AtomicUsize::new(0);

/// Bounds the memory that runs of this process may take, in bytes: what goes beyond it fails as a program of Python does that finds
/// no memory.
pub fn limit_to(bytes: usize) {
    LIMIT.store(bytes.max(1), Ordering::Relaxed);
}

/// Bytes of the values that the interpreter holds, in all threads.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Counts so many bytes of values that the interpreter makes. False if that is more than a run may take.
pub(crate) fn take(bytes: usize) -> bool {
    TAKEN.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) <= limit()
}

/// Counts so many bytes less.
pub(crate) fn give(bytes: usize) {
    TAKEN.fetch_sub(bytes, Ordering::Relaxed);
}

/// Whether so many bytes more can be taken.
pub(crate) fn fits(bytes: usize) -> bool {
    TAKEN.load(Ordering::Relaxed).saturating_add(bytes) <= limit()
}

/// How many bytes a run may take: as [`limit_to`] says, or three quarters of what the machine has, or of what the control group of
/// this process may take, if that is less.
pub fn limit() -> usize {
    match LIMIT.load(Ordering::Relaxed) {
        0 => {
            let found = available(Path::new("/")).into_iter().map(|bytes| bytes / 4 * 3).fold(MOST, usize::min);
            // Somebody may have said otherwise meanwhile.
            match LIMIT.compare_exchange(0, found, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => found,
                Err(said) => said,
            }
        }
        known => known,
    }
}

/// The bounds that a system says whose files are below `root`: the memory of the machine, the address space of this process, and the
/// memory that control groups may take. A process
/// is in a group of each hierarchy, which is bound by those that it lies in.
fn available(root: &Path) -> Vec<usize> {
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
    let machine = read("proc/meminfo");
    let total = machine.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB")?.trim().parse().ok());
    let mut found: Vec<usize> = total.map(|kib: usize| kib.saturating_mul(1024)).into_iter().collect();
    let limits = read("proc/self/limits");
    found.extend(
        limits.lines().find_map(|line| line.strip_prefix("Max address space")?.split_whitespace().next()?.parse::<usize>().ok()),
    );
    for line in read("proc/self/cgroup").lines().chain(["0::/", "0:memory:/"]) {
        let mut parts = line.splitn(3, ':');
        let (_, Some(controllers), Some(group)) = (parts.next(), parts.next(), parts.next()) else { continue };
        // The second version of control groups has one hierarchy for all, the first one for memory.
        let (folder, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        // No bound is `max`, or a number beyond all memory.
        found.extend(Path::new(group).ancestors().filter_map(|at| {
            read(&format!("{folder}{}/{file}", at.display().to_string().trim_end_matches('/'))).trim().parse::<usize>().ok()
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which bound files say that are below a folder of their own.
    fn least(name: &str, files: &[(&str, &str)]) -> Option<usize> {
        let root = std::env::temp_dir().join(format!("gradus-memory-{}-{name}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let found = available(&root).into_iter().min();
        let _ = std::fs::remove_dir_all(root);
        found
    }

    #[test]
    fn bounds_of_systems() {
        let machine = ("proc/meminfo", "MemTotal:       8000 kB\nMemFree: 1 kB\n");
        assert_eq!(least("none", &[]), None);
        assert_eq!(least("machine", &[machine]), Some(8_192_000));
        let bound =
            |soft: &str| format!("Limit     Soft Limit  Hard Limit  Units\nMax address space  {soft}  unlimited  bytes\n");
        assert_eq!(least("limited", &[machine, ("proc/self/limits", &bound("3000"))]), Some(3000));
        assert_eq!(least("unlimited", &[machine, ("proc/self/limits", &bound("unlimited"))]), Some(8_192_000));
        // The second version: a container sees its own group as the root.
        assert_eq!(least("container", &[machine, ("sys/fs/cgroup/memory.max", "4096\n")]), Some(4096));
        assert_eq!(least("unbound", &[machine, ("sys/fs/cgroup/memory.max", "max\n")]), Some(8_192_000));
        let group = ("proc/self/cgroup", "0::/user/job\n");
        let nested =
            [machine, group, ("sys/fs/cgroup/user/memory.max", "5000\n"), ("sys/fs/cgroup/user/job/memory.max", "max\n")];
        assert_eq!(least("nested", &nested), Some(5000));
        // The first version.
        let group = ("proc/self/cgroup", "12:cpu,cpuacct:/a\n4:memory:/docker/x\n0::/b\n");
        let bound = ("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "6000\n");
        assert_eq!(least("first", &[machine, group, bound]), Some(6000));
        assert_eq!(least("mounted", &[machine, group, ("sys/fs/cgroup/memory/memory.limit_in_bytes", "7000\n")]), Some(7000));
    }
}
