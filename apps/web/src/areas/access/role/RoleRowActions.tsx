import { type RoleRow, roles } from '@tocsin/contract/access/rights/role'
import { useTranslation } from 'react-i18next'
import { useHasPermission } from '#api/session.ts'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { RowActions } from '#ui/list/RowActions.tsx'

/** Without any of these permissions a role has no actions. */
export const roleActions = [
  'system:role:update',
  'system:role:delete',
  'system:permission:assign-role-menu',
  'system:permission:assign-role-data-scope',
  'system:user:list',
]

/** The overlays of a row. */
export type OpenDialog = 'edit' | 'menus' | 'scope' | 'members'

export const RoleRowActions = ({ role, onOpen }: { role: RoleRow; onOpen: (dialog: OpenDialog) => void }) => {
  const { t } = useTranslation()
  const mayUpdate = useHasPermission('system:role:update')
  const mayMenus = useHasPermission('system:permission:assign-role-menu')
  const mayScope = useHasPermission('system:permission:assign-role-data-scope')
  const mayUsers = useHasPermission('system:user:list')
  const mayDelete = useHasPermission('system:role:delete')
  const remove = useDeletion(roles.delete)
  const why = role.type ? t('role.builtInHelp') : undefined
  return (
    <RowActions
      items={[
        mayUpdate && { key: 'edit', label: t('list.edit'), run: () => onOpen('edit'), why },
        // Those of a built-in role are read-only.
        mayMenus && { key: 'menus', label: t('role.menus'), run: () => onOpen('menus') },
        mayScope && { key: 'scope', label: t('role.scope'), run: () => onOpen('scope') },
        mayUsers && { key: 'members', label: t('role.members'), run: () => onOpen('members') },
        mayDelete && {
          key: 'delete',
          label: t('list.delete'),
          run: () => void remove(role.id, role.name),
          danger: true,
          why,
        },
      ]}
    />
  )
}
