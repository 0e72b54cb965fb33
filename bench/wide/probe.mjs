// Loaded by node before a program: reports on stderr what node has taken from here to its end, all threads together.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  process.on('exit', () => {
    const { user, system } = process.cpuUsage(before);
    const seconds = (performance.now() - begin) / 1e3;
    writeSync(2, `cleave-bench: run_s=${seconds} run_cpu_s=${(user + system) / 1e6}\n`);
  });
}
