import { z } from 'zod'

/** What was entered for one device before it was sent; `isWaiting`: it is sent as soon as there is a connection. */
const MountDraft = z.strictObject({
  schoolId: z.int().optional(),
  placeId: z.int().optional(),
  mountNote: z.string().optional(),
  isWaiting: z.boolean().optional(),
})
export type MountDraft = z.output<typeof MountDraft>

/** Each person and device has a draft of its own. */
export const draftKey = (userId: number | undefined, sn: string): string => `mountDraft.${userId ?? 0}.${sn}`

/** The stored draft; anything else under the key is ignored. */
export const parseDraft = (stored: string | null): MountDraft => {
  try {
    return MountDraft.safeParse(JSON.parse(stored ?? '{}')).data ?? {}
  } catch {
    return {}
  }
}
