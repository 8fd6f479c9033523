import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Everything `/metrics` shows. Labels are fixed words, never values chosen by a caller. */
export const registry = new Registry()
collectDefaultMetrics({ register: registry })

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 0.8, 1, 2, 5, 10]
const registers = [registry]

export const metrics = {
  httpSeconds: new Histogram({
    name: 'tocsin_http_seconds',
    help: 'Time to answer a call',
    labelNames: ['method', 'status'],
    buckets: seconds,
    registers,
  }),
  pacedCalls: new Counter({
    name: 'tocsin_paced_calls_total',
    help: 'Calls refused because one person made too many in a second',
    registers,
  }),
  signals: new Counter({
    name: 'tocsin_signals_total',
    help: 'Signals taken in',
    labelNames: ['via', 'outcome'],
    registers,
  }),
  receiptSeconds: new Histogram({
    name: 'tocsin_receipt_seconds',
    help: 'From the arrival of an alarm to its committed receipt',
    buckets: seconds,
    registers,
  }),
  passwordHashes: new Counter({
    name: 'tocsin_password_hashes_total',
    help: 'Passwords hashed, each at 46 MiB and most of a core',
    registers,
  }),
  deviceLinks: new Gauge({ name: 'tocsin_device_links', help: 'Devices connected to this node', registers }),
  refusedLinks: new Counter({
    name: 'tocsin_refused_links_total',
    help: 'Connections refused in front of the broker',
    labelNames: ['reason'],
    registers,
  }),
  uplinks: new Counter({
    name: 'tocsin_uplinks_total',
    help: 'Messages of devices, by what became of them',
    labelNames: ['channel', 'outcome'],
    registers,
  }),
  takeovers: new Counter({
    name: 'tocsin_takeovers_total',
    help: 'Devices that connected while they were connected: a second one with the same secret, or a lost link',
    registers,
  }),
  strangers: new Counter({
    name: 'tocsin_strangers_total',
    help: 'Devices refused at the door',
    labelNames: ['reason'],
    registers,
  }),
  held: new Gauge({ name: 'tocsin_held_messages', help: 'Alarms and events not committed yet', registers }),
  pendingBytes: new Gauge({
    name: 'tocsin_pending_bytes',
    help: 'Estimated memory of device messages not committed yet, copies included',
    registers,
  }),
  diskFreeBytes: new Gauge({
    name: 'tocsin_disk_free_bytes',
    help: 'Free space on the disk of the data directory',
    registers,
  }),
  diskBytes: new Gauge({ name: 'tocsin_disk_bytes', help: 'Size of the disk of the data directory', registers }),
  notTaken: new Counter({
    name: 'tocsin_not_taken_total',
    help: 'Messages of devices refused because too many wait for the database',
    registers,
  }),
  unseenCalls: new Counter({
    name: 'tocsin_unseen_calls_total',
    help: 'Calls for an alarm that no screen had shown: nobody may be there',
    labelNames: ['level'],
    registers,
  }),
  desks: new Gauge({ name: 'tocsin_sockets', help: 'Open console sockets of this node', registers }),
  timersOverdue: new Gauge({
    name: 'tocsin_timers_overdue',
    help: 'Steps more than 30 s late, as the auditor sees them',
    registers,
  }),
}
