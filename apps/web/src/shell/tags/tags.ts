/** A visited screen: its path, and the whole address it was left at. */
export type Tag = { path: string; to: string }

/** Adds a visited screen at the end, or remembers its new address where it stands. */
export const visit = (tags: readonly Tag[], tag: Tag): readonly Tag[] => {
  const known = tags.find(({ path }) => path === tag.path)
  if (!known) return [...tags, tag]
  return known.to === tag.to ? tags : tags.map((one) => (one.path === tag.path ? tag : one))
}

export const closeActions = ['current', 'left', 'right', 'other', 'all'] as const
export type CloseAction = (typeof closeActions)[number]

const isClosedBy = (what: CloseAction, at: number, chosen: number): boolean => {
  if (what === 'current') return at === chosen
  if (what === 'left') return at < chosen
  if (what === 'right') return at > chosen
  if (what === 'other') return at !== chosen
  return true
}

/** What stays when this is closed at the chosen tag; the pinned one always does. */
export const close = (tags: readonly Tag[], what: CloseAction, path: string, pinned: string | undefined) => {
  const chosen = tags.findIndex((tag) => tag.path === path)
  return tags.filter((tag, at) => tag.path === pinned || !isClosedBy(what, at, chosen))
}

/** Whether closing this would close anything. */
export const wouldClose = (
  tags: readonly Tag[],
  what: CloseAction,
  path: string,
  pinned: string | undefined,
): boolean => close(tags, what, path, pinned).length < tags.length

/**
 * Where to go when the open screen was closed: the tag the menu was opened on, else the next one to the right of the
 * closed, else the last. Undefined while the open screen is still there.
 */
export const nextTag = (before: readonly Tag[], after: readonly Tag[], open: string, chosen: string) => {
  const stays = (path: string | undefined) => after.find((tag) => tag.path === path)
  if (stays(open)) return undefined
  const at = before.findIndex(({ path }) => path === open)
  const right = before.slice(at + 1).find(({ path }) => stays(path))
  return stays(chosen) ?? right ?? after.at(-1)
}

/** Moves a tag to another place; the pinned one stays first and nothing goes before it. */
export const move = (tags: readonly Tag[], path: string, to: number, pinned: string | undefined): readonly Tag[] => {
  const moved = tags.find((tag) => tag.path === path)
  if (!moved || path === pinned) return tags
  const rest = tags.filter((tag) => tag !== moved)
  const first = rest[0]?.path === pinned ? 1 : 0
  const place = Math.max(first, Math.min(to, rest.length))
  return [...rest.slice(0, place), moved, ...rest.slice(place)]
}

/** The pinned one first, whatever was kept. */
export const withPinned = (tags: readonly Tag[], pinned: string | undefined): readonly Tag[] => {
  if (pinned === undefined) return tags
  const known = tags.find(({ path }) => path === pinned) ?? { path: pinned, to: pinned }
  return [known, ...tags.filter(({ path }) => path !== pinned)]
}

/** Kept tags out of storage; what is no list of tags counts as none. */
export const parseTags = (text: string | null): readonly Tag[] => {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    if (!Array.isArray(list)) return []
    return list.flatMap((one: unknown) => {
      const { path, to } = Object(one)
      return typeof path === 'string' && typeof to === 'string' && to.startsWith(path) ? [{ path, to }] : []
    })
  } catch {
    return []
  }
}

/** DESIGN 4: so many pages stay alive at most. */
export const MAX_ALIVE = 12

/**
 * The pages that stay alive, latest first: those whose tag is there, the one just opened before the others. What is
 * half filled in stays, however long ago it was left: nobody was asked.
 */
export const keepAliveTags = (
  paths: readonly string[],
  opened: string,
  { tags, unsaved }: { tags: readonly Tag[]; unsaved: (path: string) => boolean },
): readonly string[] =>
  [opened, ...paths.filter((path) => path !== opened && tags.some((tag) => tag.path === path))].filter(
    (path, at) => at < MAX_ALIVE || unsaved(path),
  )
