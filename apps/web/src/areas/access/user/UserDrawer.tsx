import { EMPLOYEE_POST, UserRow, users, UserDraft, UserEdit } from '@tocsin/contract/access/user'
import { Input, Radio, Skeleton, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useHasPermission, useSession } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { DictNumbers } from '#ui/dict/DictNumbers.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { isSame, readAs } from '#ui/edit-conflict/remote-row.ts'
import { DeptSelect } from '../DeptSelect.tsx'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { FormGroup } from '#ui/form/FormGroup.tsx'
import { rolesNow, useRolesOf } from './AssignRoles.tsx'
import { PasswordInput } from './PasswordInput.tsx'
import { passwordDraft } from './password-draft.ts'
import { RoleSelect } from './RoleSelect.tsx'
import { type NewCredentials, OneTimePassword } from './OneTimePassword.tsx'
import { z } from 'zod'

const { username, nickname, password } = UserDraft.shape
const { email, mobile, sex, postIds, remark, status, roleIds } = UserEdit.shape

/** The form values; masks of contact data that the user may not see are sent back unchanged. */
const UserForm = z.strictObject({
  username,
  nickname,
  deptId: UserRow.shape.deptId,
  mobile,
  email,
  sex,
  postIds,
  remark,
  status,
  roleIds,
})

/** A new user needs a password, and full contact data if any. */
const NewUserForm = UserForm.extend({
  password,
  mobile: UserDraft.shape.mobile,
  email: UserDraft.shape.email,
})

type FieldsProps = {
  user: UserRow | undefined
  /** The roles of the user; undefined for a new one, and without the permission to read them. */
  held: { id: number; name: string }[] | undefined
}

const UserFields = ({ user, held = [] }: FieldsProps) => {
  const { t } = useTranslation()
  const lang = useLang()
  const mayRoles = useHasPermission('system:permission:assign-user-role')
  const isMe = useSession((session) => user !== undefined && session.user?.id === user.id)
  const of = user ? UserForm : NewUserForm
  return (
    <>
      <FormGroup title={t('user.accountGroup')} hint={t('user.accountGroupHint')}>
        <Field of={of} name="username" extra={t('user.usernameHelp')}>
          <Input maxLength={30} autoComplete="off" autoFocus={!user} />
        </Field>
        <Field of={of} name="nickname">
          <Input maxLength={30} />
        </Field>
        {!user && (
          <Field of={NewUserForm} name="password" extra={t('user.passwordHelp')}>
            <PasswordInput />
          </Field>
        )}
        <Field of={of} name="deptId">
          <DeptSelect present={user && { id: user.deptId, name: user.deptName }} />
        </Field>
        {mayRoles && (
          <Field of={of} name="roleIds" extra={t('user.rolesHelp')}>
            <RoleSelect present={held} />
          </Field>
        )}
        {/* An applicant is approved or rejected instead. */}
        {!user?.pending && (
          <Field
            of={of}
            name="status"
            valuePropName="checked"
            extra={t(isMe ? 'user.notYourself' : user ? 'user.statusHelp' : 'user.newStatusHelp')}
          >
            <Switch disabled={isMe} />
          </Field>
        )}
      </FormGroup>
      <FormGroup title={t('user.contactGroup')} hint={t('user.contactGroupHint')}>
        <Field of={of} name="mobile">
          <Input maxLength={11} inputMode="tel" />
        </Field>
        <Field of={of} name="email">
          <Input maxLength={50} inputMode="email" />
        </Field>
      </FormGroup>
      <FormGroup title={t('user.moreGroup')} hint={t('user.moreGroupHint')} rare>
        <Field of={of} name="sex">
          <Radio.Group options={enumOptions('sex', ['MALE', 'FEMALE', 'UNKNOWN'], lang)} />
        </Field>
        <Field of={of} name="postIds">
          <DictNumbers type={EMPLOYEE_POST} />
        </Field>
      </FormGroup>
      <Field of={of} name="remark">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </>
  )
}

type Props = {
  /** Undefined for a new one. */
  user: UserRow | undefined
  /** The department selected in the tree. */
  deptId: number | undefined
  onClose: () => void
}

/** Creates a user, or changes the given one with a version check. */
export const UserDrawer = ({ user, deptId, onClose }: Props) => {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewCredentials>()
  const withRoles = useHasPermission('system:permission:assign-user-role') && user !== undefined
  const { held, error, retry } = useRolesOf(user?.id ?? 0, withRoles)
  const heldIds = held?.map(({ id }) => id)
  const create = useApiMutation(users.create, { fieldsInline: true })
  const update = useApiMutation(users.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    if (user) {
      const version = newer ?? user.version
      const roleIds = isSame(values['roleIds'], heldIds) ? undefined : values['roleIds']
      await update.mutateAsync({ body: { ...toDraft(UserForm, { ...values, roleIds }), id: user.id, version } })
      notify.success(t('list.saved'))
      return
    }
    const draft = toDraft(NewUserForm, values)
    await create.mutateAsync({ body: draft })
    notify.success(t('list.created'))
    setMade({ username: draft.username, password: draft.password })
  }
  const reading = async (current: unknown) => {
    const newer = readAs(UserRow)(current)
    if (!newer || !withRoles) return newer
    return { ...newer, of: UserForm, values: { ...newer.values, ...(await rolesNow(user.id)) } }
  }
  const pending = error ? <ErrorState error={error} onRetry={retry} /> : <Skeleton active />
  if (made) return <OneTimePassword of={made} onClose={onClose} />
  return (
    <EditDrawer
      title={user ? t('user.editOf', { name: user.nickname }) : t('user.new')}
      initialValues={
        user ? { ...user, roleIds: heldIds } : { deptId, sex: 'UNKNOWN', status: true, password: passwordDraft() }
      }
      save={save}
      reading={reading}
      stays={user === undefined}
      onClose={onClose}
      {...(withRoles && !held && { pending })}
    >
      <UserFields user={user} held={held} />
    </EditDrawer>
  )
}
