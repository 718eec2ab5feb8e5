//! What a study says of the machine, the compiler and the time. What the system does not tell is left out.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// Where and by what figures were measured.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Machine {
    /// The version of Gradus.
    pub gradus: String,
    /// The commit of the repository that the study lies in, with `-dirty` behind it where files have changed since.
    pub commit: Option<String>,
    /// How Gradus was built: `release` or `dev`. Compile times depend on it, compiled programs do not.
    pub build: String,
    pub system: String,
    pub processor: Option<String>,
    pub cores: usize,
    pub caches: Vec<Cache>,
    /// The load at the end: processes that want to run, on average over a minute.
    pub load: Option<f64>,
    /// The end of the study, in UTC.
    pub date: String,
}

/// A cache of the first core.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Cache {
    pub level: u32,
    /// `Data`, `Instruction` or `Unified`.
    pub kind: String,
    /// Its size as the system writes it: `32K`.
    pub size: String,
}

impl Machine {
    /// As they are now. The commit is that of the repository around a folder.
    pub fn now(folder: &Path) -> Machine {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        Machine {
            gradus: env!("CARGO_PKG_VERSION").into(),
            commit: commit(folder),
            build: if cfg!(debug_assertions) { "dev" } else { "release" }.into(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: processor(),
            cores: std::thread::available_parallelism().map_or(1, |n| n.get()),
            caches: caches(),
            load: load(),
            date: date(seconds),
        }
    }
}

/// The load of the machine: processes that want to run, on average over a minute.
pub fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

fn commit(folder: &Path) -> Option<String> {
    let out =
        Command::new("git").current_dir(folder).args(["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]).output();
    let out = out.ok().filter(|out| out.status.success())?;
    let text = String::from_utf8(out.stdout).ok()?.trim().to_owned();
    (!text.is_empty()).then_some(text)
}

fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn caches() -> Vec<Cache> {
    let read = |i: usize, name: &str| {
        let text = std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{i}/{name}"));
        text.ok().map(|text| text.trim().to_owned())
    };
    let cache = |i| Some(Cache { level: read(i, "level")?.parse().ok()?, kind: read(i, "type")?, size: read(i, "size")? });
    (0..8).map_while(cache).collect()
}

/// The date and time of so many seconds since 1970, as `2026-11-26T19:05:09Z`.
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (mut year, mut day) = (1970, days);
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    let [hour, minute, second] = [second / 3600, second / 60 % 60, second % 60];
    format!("{year}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", month + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_795_719_909), "2026-11-26T19:05:09Z");
    }
}
