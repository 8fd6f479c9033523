import type { ReactNode } from 'react'
import { useHasPermission } from '#api/session.ts'

/** Renders its children for a holder of this permission, or of one of these; otherwise nothing. */
export const HasPerm = ({ perms, children }: { perms: string | readonly string[]; children: ReactNode }) =>
  useHasPermission(perms) ? children : null
