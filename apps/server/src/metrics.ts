import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Everything that `/metrics` exposes. Labels are fixed words, never values chosen by a caller. */
export const registry = new Registry()
collectDefaultMetrics({ register: registry })

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 0.8, 1, 2, 5, 10]
const registers = [registry]

/** docs/metrics.md lists these with their labels and alert rules. */
export const metrics = {
  requestDuration: new Histogram({
    name: 'tocsin_http_request_duration_seconds',
    help: 'Time to answer a call',
    labelNames: ['method', 'status'],
    buckets,
    registers,
  }),
  rateLimitedRequests: new Counter({
    name: 'tocsin_http_rate_limited_requests_total',
    help: 'Calls rejected because one user made too many in a second',
    registers,
  }),
  passwordHashes: new Counter({
    name: 'tocsin_password_hashes_total',
    help: 'Passwords hashed, each with 46 MiB of memory and most of a core',
    registers,
  }),
  consoleConnections: new Gauge({
    name: 'tocsin_console_connections',
    help: 'Open websockets of consoles on this node',
    registers,
  }),
  deviceConnections: new Gauge({
    name: 'tocsin_device_connections',
    help: 'Devices connected to this node',
    registers,
  }),
  rejectedConnections: new Counter({
    name: 'tocsin_device_connections_rejected_total',
    help: 'Connections closed by the listener or the broker',
    labelNames: ['reason'],
    registers,
  }),
  connectionTakeovers: new Counter({
    name: 'tocsin_device_connection_takeovers_total',
    help: 'Devices that connected while connected: the network failed, or two devices use one secret',
    registers,
  }),
  authenticationFailures: new Counter({
    name: 'tocsin_device_authentication_failures_total',
    help: 'Devices rejected because they are unknown, disabled or have a wrong secret',
    labelNames: ['reason'],
    registers,
  }),
  deviceMessages: new Counter({
    name: 'tocsin_device_messages_total',
    help: 'Messages of devices by outcome',
    labelNames: ['channel', 'outcome'],
    registers,
  }),
  overloadRejections: new Counter({
    name: 'tocsin_device_messages_overload_rejected_total',
    help: 'Messages of devices rejected because too many wait for the database',
    registers,
  }),
  pendingMessages: new Gauge({
    name: 'tocsin_pending_messages',
    help: 'Different messages of devices not committed yet',
    registers,
  }),
  pendingBytes: new Gauge({
    name: 'tocsin_pending_bytes',
    help: 'Estimated memory of device messages not committed yet, copies included',
    registers,
  }),
  signals: new Counter({
    name: 'tocsin_signals_total',
    help: 'Alarms and events committed, by outcome',
    labelNames: ['via', 'outcome'],
    registers,
  }),
  acceptanceDuration: new Histogram({
    name: 'tocsin_signal_acceptance_duration_seconds',
    help: 'Time from the arrival of an alarm or event to its commit',
    buckets,
    registers,
  }),
  undisplayedReminders: new Counter({
    name: 'tocsin_undisplayed_alarm_reminders_total',
    help: 'Reminders of an alarm that no desk has displayed yet',
    labelNames: ['level'],
    registers,
  }),
  overdueTimers: new Gauge({
    name: 'tocsin_overdue_timers',
    help: 'Timers that are due for more than 30 s',
    registers,
  }),
  diskFreeBytes: new Gauge({
    name: 'tocsin_disk_free_bytes',
    help: 'Free space on the disk of the data directory',
    registers,
  }),
  diskSizeBytes: new Gauge({
    name: 'tocsin_disk_size_bytes',
    help: 'Size of the disk of the data directory',
    registers,
  }),
}
