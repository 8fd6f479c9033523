import { describe, expect, it } from 'vitest'
import { createOrderSaver } from './save-order.ts'

/** The drafts as a server keeps them; it refuses to issue until told otherwise. */
const openServer = () => {
  const drafts: { title: string; version: number }[] = []
  let isTwinOpen = true
  return {
    drafts,
    endTwin: () => {
      isTwinOpen = false
    },
    calls: {
      create: (body: { title: string }) => Promise.resolve(drafts.push({ ...body, version: 1 })),
      update: async ({ id, version, title }: { id: number; version: number; title: string }) => {
        const draft = drafts[id - 1]
        if (draft?.version !== version) throw new Error('stale')
        drafts[id - 1] = { title, version: version + 1 }
      },
      issue: async ({ id, version }: { id: number; version: number }) => {
        if (isTwinOpen) throw new Error('twin')
        if (drafts[id - 1]?.version !== version) throw new Error('stale')
      },
    },
  }
}

describe('createOrderSaver', () => {
  it('changes the one draft when the issue of a new order was refused', async () => {
    const { drafts, endTwin, calls } = openServer()
    const save = createOrderSaver<{ title: string }>()
    await expect(save({ title: '消防通道' }, calls, true)).rejects.toThrow('twin')
    await expect(save({ title: '三楼消防通道' }, calls, true)).rejects.toThrow('twin')
    endTwin()
    expect(await save({ title: '三楼东侧消防通道' }, calls, true)).toBe(1)
    expect(drafts).toEqual([{ title: '三楼东侧消防通道', version: 3 }])
  })

  it('creates the draft again when its creation failed', async () => {
    const { drafts, calls } = openServer()
    const save = createOrderSaver<{ title: string }>()
    const failing = { ...calls, create: () => Promise.reject(new Error('offline')) }
    await expect(save({ title: '消防通道' }, failing, false)).rejects.toThrow('offline')
    expect(await save({ title: '消防通道' }, calls, false)).toBe(1)
    expect(drafts).toHaveLength(1)
  })
})
