import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const apiDocs = {
  get: endpoint({
    kind: 'json',
    permission: 'infra:api-docs:query',
    scope: 'self',
    method: 'GET',
    path: '/infra/api-docs/get',
    summary: '接口文档',
    summaryEn: 'The calls of this server as an OpenAPI 3.1 document',
    data: z.record(z.string(), z.unknown()),
  }),
}
