import { EMPLOYEE_POST, UserRow, users } from '@tocsin/contract/system/user'
import { Input, Radio, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWrite } from '#api/query.ts'
import { useCan, useSession } from '#api/session.ts'
import { useLang } from '#texts/i18n.ts'
import { wordOptions } from '#texts/words.ts'
import { DictNumbers } from '#ui/dict/DictNumbers.tsx'
import { Field } from '#ui/Field.tsx'
import { draftOf } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { readAs } from '#ui/stale/newer.ts'
import { DeptChoice } from '../DeptChoice.tsx'
import { EditDrawer } from '../EditDrawer.tsx'
import { PasswordInput } from './PasswordInput.tsx'
import { passwordDraft } from './password-draft.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { type Credentials, ShownOnce } from './ShownOnce.tsx'
import { NewUserForm, UserForm } from './user-form.ts'

const UserFields = ({ user }: { user: UserRow | undefined }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const mayRoles = useCan('system:permission:assign-user-role')
  const isMe = useSession((session) => user !== undefined && session.user?.id === user.id)
  const of = user ? UserForm : NewUserForm
  return (
    <>
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
        <DeptChoice present={user && { id: user.deptId, name: user.deptName }} />
      </Field>
      {!user && mayRoles && (
        <Field of={NewUserForm} name="roleIds" extra={t('user.rolesHelp')}>
          <RoleChoice />
        </Field>
      )}
      <Field of={of} name="mobile">
        <Input maxLength={11} inputMode="tel" />
      </Field>
      <Field of={of} name="email">
        <Input maxLength={50} inputMode="email" />
      </Field>
      <Field of={of} name="sex">
        <Radio.Group options={wordOptions('sex', ['MALE', 'FEMALE', 'UNKNOWN'], lang)} />
      </Field>
      <Field of={of} name="postIds">
        <DictNumbers type={EMPLOYEE_POST} />
      </Field>
      {/* Who registered himself and waits is approved or rejected instead. */}
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
      <Field of={of} name="remark">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Field>
    </>
  )
}

type Props = {
  /** Undefined for a new one. */
  user: UserRow | undefined
  /** The department chosen in the tree. */
  deptId: number | undefined
  onClose: () => void
}

/** Creates a user, or changes the given one as of the version that was read. */
export const UserDrawer = ({ user, deptId, onClose }: Props) => {
  const { t } = useTranslation()
  const [made, setMade] = useState<Credentials>()
  const create = useWrite(users.create, { fieldsInline: true })
  const update = useWrite(users.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    if (user) {
      const version = newer ?? user.version
      await update.mutateAsync({ body: { ...draftOf(UserForm, values), id: user.id, version } })
      notify.success(t('list.saved'))
      return
    }
    const draft = draftOf(NewUserForm, values)
    await create.mutateAsync({ body: draft })
    notify.success(t('list.created'))
    setMade({ username: draft.username, password: draft.password })
  }
  if (made) return <ShownOnce of={made} onClose={onClose} />
  return (
    <EditDrawer
      title={user ? t('user.editOf', { name: user.nickname }) : t('user.new')}
      initialValues={user ?? { deptId, sex: 'UNKNOWN', status: true, password: passwordDraft() }}
      save={save}
      reading={readAs(UserRow)}
      stays={user === undefined}
      onClose={onClose}
    >
      <UserFields user={user} />
    </EditDrawer>
  )
}
