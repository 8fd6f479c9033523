import type { Log } from '#config'

const EVERY_MS = 10_000

/** Logs each text at most once in ten seconds, because an outage repeats the same text many times a second. */
export const throttleLog = (log: Log): Log => {
  const said = new Map<string, number>()
  const once = (level: keyof Log) => (text: string) => {
    const now = performance.now()
    if (now - (said.get(text) ?? -Infinity) < EVERY_MS) return
    if (said.size > 1000) said.clear()
    said.set(text, now)
    log[level](text)
  }
  return { info: once('info'), warn: once('warn'), error: once('error') }
}
