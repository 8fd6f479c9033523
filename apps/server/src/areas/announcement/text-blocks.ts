const tag = /<(\/?)([a-z][a-z0-9]*)\b[^>]*?(\/?)>/gi
const voidTags = new Set(['br', 'hr', 'img'])

/** Splits clean HTML into blocks at its top level; text outside of every element is a block of its own. */
export const splitBlocks = (html: string): string[] => {
  const parts: string[] = []
  let depth = 0
  let from = 0
  const cutAt = (to: number) => {
    const part = html.slice(from, to).trim()
    if (part) parts.push(part)
    from = to
  }
  for (const { 0: found, 1: slash, 2: name = '', 3: closed, index } of html.matchAll(tag)) {
    const isVoid = closed === '/' || voidTags.has(name.toLowerCase())
    if (depth === 0) cutAt(index)
    if (!isVoid) depth += slash ? -1 : 1
    depth = Math.max(depth, 0)
    if (depth === 0) cutAt(index + found.length)
  }
  cutAt(html.length)
  return parts
}

/** Lengths of the longest common subsequence of the ends of both lists. */
const commonLengths = (before: readonly string[], after: readonly string[]): number[][] => {
  const lengths = Array.from({ length: before.length + 1 }, () => Array<number>(after.length + 1).fill(0))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (row) row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  return lengths
}

/** More blocks than this are compared as a whole: the comparison is quadratic. */
const MAX_BLOCKS = 500

export type MarkedBlock = { html: string; isChanged: boolean }

/**
 * Returns the blocks of a text, marked where an earlier text differs. Adjacent changed, added or removed blocks are one
 * change.
 */
export const markChanges = (before: string, after: string): { blocks: MarkedBlock[]; changeCount: number } => {
  const old = splitBlocks(before)
  const fresh = splitBlocks(after)
  if (old.length > MAX_BLOCKS || fresh.length > MAX_BLOCKS) {
    const isChanged = before !== after
    return { blocks: [{ html: after, isChanged }], changeCount: Number(isChanged) }
  }
  const lengths = commonLengths(old, fresh)
  const blocks: MarkedBlock[] = []
  let changeCount = 0
  let isInChange = false
  const change = () => {
    if (!isInChange) changeCount += 1
    isInChange = true
  }
  let i = 0
  for (const [j, html] of fresh.entries()) {
    const kept = lengths[i]?.[j] ?? 0
    // Blocks of the old text that were removed before this one.
    while (
      i < old.length &&
      old[i] !== html &&
      (lengths[i + 1]?.[j] ?? 0) === kept &&
      kept > (lengths[i]?.[j + 1] ?? 0)
    ) {
      change()
      i += 1
    }
    if (old[i] === html) {
      blocks.push({ html, isChanged: false })
      isInChange = false
      i += 1
    } else {
      change()
      blocks.push({ html, isChanged: true })
    }
  }
  if (i < old.length) change()
  return { blocks, changeCount }
}
