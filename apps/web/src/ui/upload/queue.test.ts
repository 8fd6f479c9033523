import { files, type StoredFileInfo } from '@tocsin/contract/files/file'
import { describe, expect, it } from 'vitest'
import { uploadLimits, checkFile } from './limits.ts'
import { type Send, uploadQueue } from './queue.ts'

type Call = { name: string; signal: AbortSignal; arrive: (id: number) => void; fail: (error: unknown) => void }

const fileOf = (name: string, size = 1) => new File([new Uint8Array(size)], name)

/** A queue whose uploads finish when the test says so. */
const open = (passes = true) => {
  const calls: Call[] = []
  const send: Send = ({ name }, signal, onProgress) =>
    new Promise((resolve, reject) => {
      onProgress(0.5)
      const arrive = (id: number) => resolve({ id, name, url: '', size: 1, type: 'text/plain' })
      calls.push({ name, signal, arrive, fail: reject })
    })
  const queue = uploadQueue({ send, passes: () => passes })
  let kept: readonly StoredFileInfo[] = []
  queue.deliverTo({ value: [], onChange: (value) => void (kept = value) })
  const shown = () => queue.items().map(({ file, state }) => `${file.name} ${state}`)
  const of = (name: string) => {
    const call = calls.findLast((call) => call.name === name)
    if (!call) throw new Error(`${name} was not sent`)
    return call
  }
  const keyOf = (name: string) => queue.items().find(({ file }) => file.name === name)?.key ?? 0
  return { queue, calls, of, keyOf, shown, kept: () => kept.map(({ id }) => id) }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('the upload queue', () => {
  it('uploads two at a time, and the next when one is finished', async () => {
    const { queue, of, shown, kept } = open()
    queue.add(['a', 'b', 'c'].map((name) => ({ file: fileOf(name) })))
    expect(shown()).toEqual(['a sending', 'b sending', 'c waiting'])
    expect(queue.items()[0]?.percent).toBe(50)
    of('b').arrive(2)
    await settled()
    expect(shown()).toEqual(['a sending', 'c sending'])
    expect(kept()).toEqual([2])
  })

  it('keeps all files that finish before the next render', async () => {
    const { queue, of, kept } = open()
    queue.add(['a', 'b'].map((name) => ({ file: fileOf(name) })))
    of('a').arrive(1)
    of('b').arrive(2)
    await settled()
    expect(kept()).toEqual([1, 2])
    queue.remove(1)
    expect(kept()).toEqual([2])
  })

  it('retries after a failure, and not after a refusal', async () => {
    const failing = open()
    failing.queue.add([{ file: fileOf('a') }])
    failing.of('a').fail(new Error('cut'))
    await settled()
    expect(failing.shown()).toEqual(['a failed'])
    failing.queue.retry(failing.keyOf('a'))
    expect(failing.shown()).toEqual(['a sending'])
    failing.of('a').arrive(7)
    await settled()
    expect([failing.shown(), failing.kept()]).toEqual([[], [7]])

    const refused = open(false)
    refused.queue.add([{ file: fileOf('a') }])
    refused.of('a').fail(new Error('no'))
    await settled()
    expect(refused.shown()).toEqual(['a refused'])
  })

  it('aborts silently, and starts the next', async () => {
    const { queue, of, keyOf, shown, kept } = open()
    queue.add(['a', 'b', 'c'].map((name) => ({ file: fileOf(name) })))
    queue.cancel(keyOf('a'))
    expect(of('a').signal.aborted).toBe(true)
    of('a').fail(of('a').signal.reason)
    await settled()
    expect([shown(), kept()]).toEqual([['b sending', 'c sending'], []])
  })

  it('shows files beyond the limits and never uploads them', () => {
    const { queue, calls, shown } = open()
    queue.add([{ file: fileOf('a.exe'), error: new Error('no') }])
    expect([shown(), calls]).toEqual([['a.exe refused'], []])
  })
})

describe('limits', () => {
  const limits = uploadLimits(files.upload, ['text/plain', 'image/png'], 3, 10)
  it.each([
    ['a.txt', 10, undefined],
    ['A.PNG', 1, undefined],
    ['a.exe', 1, 'fileType'],
    ['a', 1, 'fileType'],
    ['a.txt', 0, 'empty'],
    ['a.txt', 11, 'tooBig'],
  ])('of %s with %d bytes: %s', (name, size, rule) => {
    expect(checkFile(fileOf(name, size), limits)?.errors[0]?.rule).toBe(rule)
  })

  it('are never wider than those of the call', () => {
    expect(uploadLimits(files.upload, ['text/plain'], 1, 10 ** 12).bytes).toBe(50 * 1024 * 1024)
  })
})
