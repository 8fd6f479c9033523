import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** Accepted writes without an audit row, and where they are recorded instead. */
const elsewhere: readonly { calls: RegExp; where: string }[] = [
  {
    calls: /\/auth\/(login|logout|refresh-token|second-factor|sms-login|social-login|qr-\w+)$/,
    where: 'the log of sign-ins',
  },
  { calls: /\/profile\/social-redirect$/, where: 'nothing: binding what comes back is audited' },
  { calls: /\/notice\/(read|read-all)$|\/notices\/read-all$|\/notify-message\/update-/, where: 'the receipts' },
  { calls: /\/announcement\/mine\/read$/, where: 'the receipts' },
  { calls: /\/insight\/wall-board\/(open|base|tile)$/, where: 'the last use of the link' },
  { calls: /\/insight\/wall-follow\/show$/, where: 'the row of the start' },
  { calls: /\/visit-trend\/visit$/, where: 'the visits' },
  { calls: /\/warn\/track\/report$/, where: 'the row of the first position, and the positions themselves' },
  { calls: /\/import$/, where: 'nothing, when it is tried dry or a line is wrong: what it says is then no change' },
  { calls: /\/readiness-weights\/preview$/, where: 'nothing: a trial changes nothing' },
  { calls: /\/export-later$/, where: 'the row that its job writes with the number of rows' },
]

const isElsewhere = (url: string) => elsewhere.some(({ calls }) => calls.test(url))

/**
 * Requires an audit row for every accepted write, under the trace id of its call and committed before the response: in
 * any test, a response without one becomes a failure that names the call.
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
