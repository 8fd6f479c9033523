import { z } from 'zod'
import { Millis } from '../codecs.ts'
import { endpoint } from '../endpoint.ts'
import { field } from '../field.ts'

/** The user's own text of the editor demo. */
export const DemoText = z.strictObject({
  /** HTML without scripts, external resources or positioning; empty before the first save. */
  content: field(z.string(), '内容', 'Content'),
  version: field(z.int(), '版本', 'Version'),
  updateTime: field(Millis.nullable(), '更新时间', 'Updated'),
})
export type DemoText = z.output<typeof DemoText>

export const DemoTextEdit = z.strictObject({
  content: field(z.string().max(65_535), '内容', 'Content'),
  /** As read; 0 before the first save. */
  version: field(z.int().min(0), '版本', 'Version'),
})

const text = (verb: string) => ({ kind: 'json', permission: `demo:text:${verb}`, scope: 'self' }) as const

export const demoTexts = {
  get: endpoint({
    ...text('query'),
    method: 'GET',
    path: '/demo/text/get',
    summary: '富文本示例',
    summaryEn: 'The text one saved in the editor’s demo page',
    data: DemoText,
  }),
  update: endpoint({
    ...text('update'),
    method: 'PUT',
    path: '/demo/text/update',
    summary: '保存富文本示例',
    summaryEn: 'Save the text of the editor’s demo page',
    body: DemoTextEdit,
    data: DemoText,
  }),
}
