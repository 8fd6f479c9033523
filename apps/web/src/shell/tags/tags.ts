/** A visited screen: its path, and the complete address at which it was left. */
export type Tag = { path: string; to: string }

/** Adds a visited screen at the end, or updates its address in place. */
export const visit = (tags: readonly Tag[], tag: Tag): readonly Tag[] => {
  const known = tags.find(({ path }) => path === tag.path)
  if (!known) return [...tags, tag]
  return known.to === tag.to ? tags : tags.map((item) => (item.path === tag.path ? tag : item))
}

export const closeActions = ['current', 'left', 'right', 'other', 'all'] as const
export type CloseAction = (typeof closeActions)[number]

const isClosedBy = (action: CloseAction, at: number, chosen: number): boolean => {
  if (action === 'current') return at === chosen
  if (action === 'left') return at < chosen
  if (action === 'right') return at > chosen
  if (action === 'other') return at !== chosen
  return true
}

/** The tags that remain when this action is applied to the chosen tag; the pinned one always does. */
export const close = (tags: readonly Tag[], action: CloseAction, path: string, pinned: string | undefined) => {
  const chosen = tags.findIndex((tag) => tag.path === path)
  return tags.filter((tag, at) => tag.path === pinned || !isClosedBy(action, at, chosen))
}

/** Whether the action would close anything. */
export const wouldClose = (
  tags: readonly Tag[],
  action: CloseAction,
  path: string,
  pinned: string | undefined,
): boolean => close(tags, action, path, pinned).length < tags.length

/**
 * The address after the open screen was closed: the tag on which the menu was opened, else the next one to the right,
 * else the last. Undefined while the open screen still exists.
 */
export const nextTag = (before: readonly Tag[], after: readonly Tag[], open: string, chosen: string) => {
  const stays = (path: string | undefined) => after.find((tag) => tag.path === path)
  if (stays(open)) return undefined
  const at = before.findIndex(({ path }) => path === open)
  const right = before.slice(at + 1).find(({ path }) => stays(path))
  return stays(chosen) ?? right ?? after.at(-1)
}

/** Moves a tag to another position; the pinned one stays first. */
export const move = (tags: readonly Tag[], path: string, to: number, pinned: string | undefined): readonly Tag[] => {
  const moved = tags.find((tag) => tag.path === path)
  if (!moved || path === pinned) return tags
  const rest = tags.filter((tag) => tag !== moved)
  const first = rest[0]?.path === pinned ? 1 : 0
  const place = Math.max(first, Math.min(to, rest.length))
  return [...rest.slice(0, place), moved, ...rest.slice(place)]
}

/** The pinned one first, whatever was stored. */
export const withPinned = (tags: readonly Tag[], pinned: string | undefined): readonly Tag[] => {
  if (pinned === undefined) return tags
  const known = tags.find(({ path }) => path === pinned) ?? { path: pinned, to: pinned }
  return [known, ...tags.filter(({ path }) => path !== pinned)]
}

/** Tags out of storage; an invalid list counts as none. */
export const parseTags = (text: string | null): readonly Tag[] => {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(list)) return []
    return list.flatMap((item: unknown) => {
      const { path, to } = Object(item)
      return typeof path === 'string' && typeof to === 'string' && to.startsWith(path) ? [{ path, to }] : []
    })
  } catch {
    return []
  }
}

/** DESIGN 4: at most this many pages stay mounted. */
export const MAX_ALIVE = 12

/**
 * The pages that stay mounted, latest first: those with a tag, the newly opened one first. A page with unsaved input
 * stays, however long ago it was left.
 */
export const keepAliveTags = (
  paths: readonly string[],
  opened: string,
  { tags, unsaved }: { tags: readonly Tag[]; unsaved: (path: string) => boolean },
): readonly string[] =>
  [opened, ...paths.filter((path) => path !== opened && tags.some((tag) => tag.path === path))].filter(
    (path, at) => at < MAX_ALIVE || unsaved(path),
  )
