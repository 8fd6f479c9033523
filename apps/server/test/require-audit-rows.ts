import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** Taken writes that leave no row in the audit, and where they are found instead. */
const elsewhere: readonly { calls: RegExp; where: string }[] = [
  {
    calls: /\/auth\/(login|logout|refresh-token|second-factor|sms-login|social-login|qr-\w+)$/,
    where: 'the log of sign-ins',
  },
  { calls: /\/profile\/social-redirect$/, where: 'nothing: binding what comes back is audited' },
  { calls: /\/notice\/(read|read-all)$|\/notices\/read-all$|\/notify-message\/update-/, where: 'the receipts' },
  { calls: /\/visit-trend\/visit$/, where: 'the visits' },
  { calls: /\/import$/, where: 'nothing, when it is tried dry or a line is wrong: what it says is then no change' },
  { calls: /\/export-later$/, where: 'the row that its job writes with the number of rows' },
]

const isElsewhere = (url: string) => elsewhere.some(({ calls }) => calls.test(url))

/**
 * Every write that is taken leaves a row in the audit, under the id of its call and committed before the answer: in any
 * test, an answer without one turns into a failure that names the call.
 */
export const requireAuditRows = (app: FastifyInstance, pool: pg.Pool): void => {
  app.addHook('onSend', async ({ method, id, routeOptions }, _reply, payload) => {
    const url = routeOptions.url ?? ''
    if (method === 'GET' || isElsewhere(url)) return payload
    if (typeof payload !== 'string' || !payload.startsWith('{"code":200')) return payload
    const { rowCount } = await pool.query('select 1 from audit_log where trace_id = $1', [id])
    return rowCount ? payload : JSON.stringify({ code: 'unaudited', msg: `nothing in the audit of ${url}`, data: null })
  })
}
