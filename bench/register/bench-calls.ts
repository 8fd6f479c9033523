import { setTimeout as pause } from 'node:timers/promises'
import type { BenchServer } from '../bench-server.ts'

type Job = { state: string; done: number; error: unknown; counts: Record<string, number> }

/** Calls of the console with this token. */
export const callAs = (stage: BenchServer, token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  const call = async <T>(method: string, path: string, body?: FormData | object): Promise<T> => {
    const form = body instanceof FormData
    const response = await fetch(`${stage.node.http}/admin-api${path}`, {
      method,
      headers: { ...headers, ...(body && !form && { 'content-type': 'application/json' }) },
      body: form ? body : body ? JSON.stringify(body) : null,
    })
    const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: T }
    if (code !== 200) throw new Error(`${path}: ${msg}`)
    return data
  }
  return call
}
export type Call = ReturnType<typeof callAs>

/** Waits for the job and records the peak memory of the server. */
export const watchJob = async (stage: BenchServer, call: Call, id: number, states: string[]) => {
  let peak = 0
  for (;;) {
    peak = Math.max(peak, stage.memory())
    const job = await call<Job>('GET', `/system/job/get?id=${id}`)
    if (states.includes(job.state)) return { job, peak }
    if (job.state === 'FAILED' || job.state === 'CANCELLED') throw new Error(JSON.stringify(job))
    await pause(100)
  }
}
