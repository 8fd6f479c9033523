import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ById } from '../page.ts'

export const evidencePacks = {
  export: endpoint({
    method: 'GET',
    path: '/warn/record/evidence',
    kind: 'file',
    permission: 'warn:record:evidence',
    scope: 'school',
    summary: '导出一条警情的证据包',
    summaryEn: 'Export the evidence pack of one alarm',
    query: ById,
    data: z.null(),
  }),
}
