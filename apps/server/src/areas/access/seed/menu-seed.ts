import type { RoleCode } from './roles.ts'

/** The system administrator holds every permission and every entry without being named. */
type Names = { name: string; nameEn: string; roles: readonly RoleCode[] }
export type ButtonSeed = Names & { permission: string }
export type MenuSeed = Names & {
  path: string
  componentName: string
  icon: string
  /** The screen name of the directory it goes under, behind all that is there; without such a one it goes to the top. */
  under?: string
  /** The screen; absent for a directory. */
  component?: string
  /** False until there is a screen. */
  visible?: boolean
  buttons?: readonly ButtonSeed[]
  children?: readonly MenuSeed[]
}

export const button = (permission: string, name: string, nameEn: string, roles: readonly RoleCode[]): ButtonSeed => ({
  permission,
  name,
  nameEn,
  roles,
})
