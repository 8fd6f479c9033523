import type { ReactNode } from 'react'
import { useHasPermission } from '#api/session.ts'

/** Its children for who holds this permission, or one of these; for anybody else nothing is there. */
export const HasPerm = ({ perms, children }: { perms: string | readonly string[]; children: ReactNode }) =>
  useHasPermission(perms) ? children : null
