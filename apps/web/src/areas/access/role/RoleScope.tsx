import { permissions, RoleScope as Scope } from '@tocsin/contract/access/rights/permission'
import { type RoleDraft, RoleRow, roles } from '@tocsin/contract/access/rights/role'
import { Alert, Button, Empty, Flex, Form, Select, Skeleton, Tag, Tree } from 'antd'
import { type Key, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { useDepts } from '../DeptSelect.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { idsWithin, toAntdTree, treeOf } from '#ui/tree/tree.ts'
import { CascadeSwitch } from './CascadeSwitch.tsx'

const scopes = ['ALL', 'CUSTOM', 'DEPT_AND_CHILD', 'DEPT', 'SELF'] as const

type BoxesProps = { value?: number[]; onChange?: (ids: number[]) => void; disabled?: boolean }

/** Departments to tick; each counts separately, so a parent can be ticked with or without its descendants. */
const DeptBoxes = ({ value = [], onChange, disabled = false }: BoxesProps) => {
  const { t } = useTranslation()
  const { data } = useDepts()
  const [together, setTogether] = useState(true)
  const shown = useMemo(() => data && toAntdTree(treeOf(data), ({ name }) => name), [data])
  // Until the user closes one, all are open, including new ones.
  const [open, setOpen] = useState<readonly Key[]>()
  if (!data || !shown) return <Skeleton active />
  if (shown.length === 0) return <Empty description={t('system.noDeptFound')} />
  const toggle = (id: number, on: boolean) => {
    const touched = together ? idsWithin(data, id) : new Set([id])
    const rest = value.filter((item) => !touched.has(item))
    onChange?.(on ? [...rest, ...touched] : rest)
  }
  const all = data.map(({ id }) => id)
  const isOpen = (open ?? all).length > 0
  return (
    <Flex vertical gap="small">
      <Flex wrap gap="small" align="center">
        <Button size="small" disabled={false} onClick={() => setOpen(isOpen ? [] : undefined)}>
          {t(isOpen ? 'system.collapse' : 'system.expand')}
        </Button>
        {!disabled && (
          <>
            <Button size="small" onClick={() => onChange?.([...new Set([...value, ...all])])}>
              {t('role.tickAll')}
            </Button>
            <Button size="small" onClick={() => onChange?.(value.filter((item) => !all.includes(item)))}>
              {t('role.tickNone')}
            </Button>
            <CascadeSwitch on={together} onChange={setTogether} help={t('role.deptsTogetherHelp')} />
          </>
        )}
      </Flex>
      <Tree
        checkable
        checkStrictly
        selectable={false}
        expandedKeys={[...(open ?? all)]}
        onExpand={setOpen}
        disabled={disabled}
        treeData={shown}
        checkedKeys={{ checked: value, halfChecked: [] }}
        onCheck={(_, { node, checked }) => toggle(node.key, checked)}
      />
    </Flex>
  )
}

type FieldsProps = { of: typeof Scope | typeof RoleDraft; readOnly: boolean; extra?: string }

export const ScopeFields = ({ of, readOnly, extra }: FieldsProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const scope: unknown = Form.useWatch('dataScope')
  const some = { type: 'array', min: 1, message: t('role.deptsMissing') } as const
  return (
    <>
      <Field of={of} name="dataScope" required={!readOnly} extra={extra}>
        <Select options={enumOptions('dataScope', scopes, lang)} disabled={readOnly} />
      </Field>
      {scope === 'CUSTOM' && (
        <Field of={of} name="dataScopeDeptIds" rules={readOnly ? [] : [some]}>
          <DeptBoxes disabled={readOnly} />
        </Field>
      )}
    </>
  )
}

/** The data scope of a role. */
export const RoleScope = ({ role, readOnly, onClose }: { role: RoleRow; readOnly: boolean; onClose: () => void }) => {
  const { t } = useTranslation()
  const assign = useApiMutation(permissions.assignRoleDataScope, { also: [roles.page], fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const version = newer ?? role.version
    await assign.mutateAsync({ body: toDraft(Scope, { ...values, roleId: role.id, version }) })
    notify.success(t('list.saved'))
  }
  return (
    <EditDrawer
      title={t('role.scopeOf', { name: role.name })}
      extra={<Tag>{role.code}</Tag>}
      initialValues={{ dataScope: role.dataScope, dataScopeDeptIds: role.dataScopeDeptIds }}
      save={save}
      reading={readAs(RoleRow)}
      readOnly={readOnly}
      onClose={onClose}
    >
      <Alert
        type="info"
        showIcon
        title={t(readOnly ? 'role.builtInHelp' : 'role.scopeHelp')}
        style={{ marginBottom: 16 }}
      />
      <ScopeFields of={Scope} readOnly={readOnly} />
    </EditDrawer>
  )
}
