import { openSession } from '../apps/server/src/areas/access/sign-in/session.ts'
import type { E2eServer } from './setup/e2e-server.ts'

type ApiCall = { method: 'POST' | 'PUT'; path: string; body: object }

/** Calls the running server as this user. @returns the data of the answer. */
export const callAs = async (site: E2eServer, userId: number, { method, path, body }: ApiCall): Promise<unknown> => {
  const { accessToken } = await openSession(site.db, userId, { ip: '127.0.0.1', userAgent: 'e2e', traceId: 'e2e' })
  const answer = await fetch(`${site.url}/admin-api${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify(body),
  })
  const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: unknown }
  if (code !== 200) throw new Error(`${path}: ${msg}`)
  return data
}
