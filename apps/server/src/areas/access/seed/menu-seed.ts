import type { RoleCode } from './roles.ts'

/** The built-in administrator role has every permission and entry, so the seed does not list it. */
type Names = { name: string; nameEn: string; roles: readonly RoleCode[] }
export type ButtonSeed = Names & { permission: string }
export type MenuSeed = Names & {
  path: string
  componentName: string
  icon: string
  /**
   * The component name of the directory it belongs to, as the last entry; without such a directory it goes to the top
   * level.
   */
  under?: string
  /** The screen; absent for a directory. */
  component?: string
  /** False while there is no screen. */
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
