import type { RoleCode } from './roles.ts'

/** The system administrator holds every permission and every entry without being named. */
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
