import { z } from 'zod'
import { Id } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'
import { StoredFileInfo } from '../files/file.ts'

export const DemoSignatureEdit = z.strictObject({
  /** A picture uploaded as the signature. */
  fileId: field(Id, '签名图片', 'Picture'),
})
export type DemoSignatureEdit = z.output<typeof DemoSignatureEdit>

const signature = (verb: string) => ({ kind: 'json', permission: `demo:signature:${verb}`, scope: 'self' }) as const

export const demoSignatures = {
  get: endpoint({
    ...signature('query'),
    method: 'GET',
    path: '/demo/signature/get',
    summary: '签名示例',
    summaryEn: 'The signature one saved in the demo page; null before the first time',
    data: StoredFileInfo.nullable(),
  }),
  update: endpoint({
    ...signature('update'),
    method: 'PUT',
    path: '/demo/signature/update',
    summary: '保存签名示例',
    summaryEn: 'Keep an uploaded picture as one’s signature, in place of the one before',
    body: DemoSignatureEdit,
    data: StoredFileInfo.nullable(),
  }),
}
