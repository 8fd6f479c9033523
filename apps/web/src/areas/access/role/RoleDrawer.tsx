import { RoleDraft, RoleRow, roles } from '@tocsin/contract/access/rights/role'
import { Alert, Input, InputNumber, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { ReadOnlyControls } from '#ui/responsive/ReadOnlyControls.tsx'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { ScopeFields } from './RoleScope.tsx'

/** Creates a role, or changes the given one with a version check. */
export const RoleDrawer = ({ role, onClose }: { role: RoleRow | undefined; onClose: () => void }) => {
  const { t } = useTranslation()
  const create = useApiMutation(roles.create, { fieldsInline: true })
  const update = useApiMutation(roles.update, { fieldsInline: true })
  const mayScope = useHasPermission('system:permission:assign-role-data-scope')
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const { dataScope, dataScopeDeptIds, ...rest } = toDraft(RoleDraft, values)
    const draft = { ...rest, ...(mayScope && { dataScope, dataScopeDeptIds }) }
    if (role) await update.mutateAsync({ body: { ...draft, id: role.id, version: newer ?? role.version } })
    else await create.mutateAsync({ body: draft })
    notify.success(t(role ? 'list.saved' : 'list.created'))
  }
  const reading = (current: unknown) => {
    const newer = readAs(RoleRow)(current)
    return newer && { ...newer, of: RoleDraft }
  }
  const help = t(mayScope ? 'role.scopeHelp' : 'role.scopeNotYours')
  const scope = <ScopeFields of={RoleDraft} readOnly={!mayScope} extra={help} />
  return (
    <EditDrawer
      title={role ? t('role.editOf', { name: role.name }) : t('role.new')}
      initialValues={role ?? { status: true, sort: 100, dataScope: 'DEPT' }}
      save={save}
      reading={reading}
      onClose={onClose}
    >
      {!role && <Alert type="info" showIcon title={t('role.newHelp')} style={{ marginBottom: 16 }} />}
      <Field of={RoleDraft} name="name">
        <Input maxLength={30} autoFocus={!role} />
      </Field>
      <Field of={RoleDraft} name="nameEn">
        <Input maxLength={50} />
      </Field>
      <Field of={RoleDraft} name="code" extra={t('role.codeHelp')}>
        <Input maxLength={100} />
      </Field>
      <Field of={RoleDraft} name="sort" extra={t('system.sortHelp')}>
        <InputNumber min={0} precision={0} style={{ width: '100%' }} />
      </Field>
      <Field of={RoleDraft} name="status" valuePropName="checked" extra={t('role.statusHelp')}>
        <Switch />
      </Field>
      {mayScope ? scope : <ReadOnlyControls>{scope}</ReadOnlyControls>}
      <Field of={RoleDraft} name="remark">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </EditDrawer>
  )
}
