import { DeptDraft, DeptRow, deptKinds, depts } from '@tocsin/contract/access/dept'
import { useQuery } from '@tanstack/react-query'
import { Input, InputNumber, Select, type SelectProps, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { ParentSelect, TOP } from '#ui/tree/ParentSelect.tsx'
import { useUserOptions } from '../user-options.ts'
import { contactSchema } from './dept-contact.ts'

const labelOf = ({ nickname, deptName }: { nickname: string; deptName: string }) => `${nickname} (${deptName})`

const LeaderChoice = (rest: SelectProps<number>) => {
  const { t } = useTranslation()
  const choice = useUserOptions(rest.value ? [rest.value] : [], labelOf)
  return <Select allowClear placeholder={t('list.choose')} {...choice} {...rest} />
}

const DeptFields = ({ dept, rows }: { dept: DeptRow | undefined; rows: readonly DeptRow[] }) => {
  const { t } = useTranslation()
  const lang = useLang()
  // A school creates its department itself.
  const kinds = deptKinds.filter((kind) => kind !== 'SCHOOL' || dept?.kind === 'SCHOOL')
  const contact = contactSchema(dept)
  return (
    <>
      <FormGroup title={t('dept.group')} hint={t('dept.groupHint')}>
        <Field of={DeptDraft} name="parentId">
          <ParentSelect rows={rows} moving={dept} />
        </Field>
        <Field of={DeptDraft} name="name">
          <Input maxLength={64} autoFocus={!dept} />
        </Field>
        <Field of={DeptDraft} name="nameEn">
          <Input maxLength={64} />
        </Field>
        <Field of={DeptDraft} name="code" extra={t('dept.codeHelp')}>
          <Input maxLength={32} />
        </Field>
        <Field of={DeptDraft} name="kind" extra={t(dept?.kind === 'SCHOOL' ? 'dept.schoolHelp' : 'dept.kindHelp')}>
          <Select
            allowClear={!dept}
            disabled={dept?.kind === 'SCHOOL'}
            options={enumOptions('deptKind', kinds, lang)}
            placeholder={t('dept.kindOfParent')}
          />
        </Field>
      </FormGroup>
      <FormGroup title={t('dept.contactGroup')} hint={t('dept.contactGroupHint')}>
        <Field of={DeptDraft} name="leaderUserId">
          <LeaderChoice />
        </Field>
        <Field of={contact} name="phone">
          <Input maxLength={20} inputMode="tel" />
        </Field>
        <Field of={contact} name="email">
          <Input maxLength={50} inputMode="email" />
        </Field>
      </FormGroup>
      <FormGroup title={t('dept.orderGroup')} hint={t('dept.orderGroupHint')}>
        <Field of={DeptDraft} name="sort" extra={t('system.sortHelp')}>
          <InputNumber min={0} precision={0} style={{ width: '100%' }} />
        </Field>
        <Field of={DeptDraft} name="status" valuePropName="checked" extra={t('dept.statusHelp')}>
          <Switch />
        </Field>
      </FormGroup>
    </>
  )
}

const begin = (dept: DeptRow) => ({ ...dept, parentId: dept.parentId ?? TOP })

type Props = {
  /** Undefined for a new one. */
  dept: DeptRow | undefined
  parentId: number | undefined
  onClose: () => void
}

/** Creates a department, or changes or moves the given one with a version check. */
export const DeptDrawer = ({ dept, parentId, onClose }: Props) => {
  const { t } = useTranslation()
  const { data: rows = [] } = useQuery(queryFor(depts.list, { query: {} }))
  const create = useApiMutation(depts.create, { fieldsInline: true })
  const update = useApiMutation(depts.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const draft = toDraft(DeptDraft, values)
    if (dept) await update.mutateAsync({ body: { ...draft, id: dept.id, version: newer ?? dept.version } })
    else await create.mutateAsync({ body: draft })
    notify.success(t(dept ? 'list.saved' : 'list.created'))
  }
  const first = dept ? begin(dept) : { parentId, sort: 1, status: true }
  return (
    <EditDrawer
      title={dept ? t('dept.editOf', { name: dept.name }) : t('dept.new')}
      initialValues={first}
      save={save}
      reading={readAs(DeptRow, begin)}
      onClose={onClose}
    >
      <DeptFields dept={dept} rows={rows} />
    </EditDrawer>
  )
}
