import { UserListRow, type UserRow, users, PasswordReset, UserQuery } from '@tocsin/contract/access/user'
import { ImportOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input, Alert } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission, useSession } from '#api/session.ts'
import { column } from '#ui/column.tsx'
import { Filter, DateRangeFilter, YesNo } from '#ui/list/filters.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { ListPage } from '#ui/list/ListPage.tsx'
import { useLang } from '#texts/i18n.ts'
import { useWide } from '#ui/responsive/media.ts'
import { DeptSelect } from '../DeptSelect.tsx'
import { bulkDeletion } from '#ui/list/bulk-deletion.tsx'
import { StatusSelect } from '#ui/cell/Status.tsx'
import { UserImportDrawer } from '../user-import/UserImportDrawer.tsx'
import { AssignRoles } from './AssignRoles.tsx'
import { DeptFilterTree } from './DeptFilterTree.tsx'
import { StatusSwitch } from './StatusSwitch.tsx'
import { UserDetail } from './UserDetail.tsx'
import { UserDrawer } from './UserDrawer.tsx'
import { UserLabel } from '#ui/upload/Avatar.tsx'
import { userDisplayName, UserRowActions, type OpenDialog } from './UserRowActions.tsx'
import '#ui/list/screens.css'
import { withCreated, createdEnds } from '#ui/list/created-range.ts'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { PasswordInput } from './PasswordInput.tsx'
import { passwordDraft } from './password-draft.ts'
import { type NewCredentials, OneTimePassword } from './OneTimePassword.tsx'

const UserFilters = UserQuery.omit({ createTime: true, roleId: true }).extend(createdEnds)

/** Resets the password of a user and shows it once, to be handed over. */
const ResetPassword = ({ user, onClose }: { user: UserRow; onClose: () => void }) => {
  const { t } = useTranslation()
  const [made, setMade] = useState<NewCredentials>()
  const reset = useApiMutation(users.updatePassword, { fieldsInline: true })
  const save = async (values: Record<string, unknown>) => {
    const body = toDraft(PasswordReset, { ...values, id: user.id })
    await reset.mutateAsync({ body })
    setMade({ username: user.username, password: body.password })
  }
  if (made) return <OneTimePassword of={made} onClose={onClose} />
  return (
    <EditDrawer
      title={t('user.resetOf', { name: user.nickname })}
      initialValues={{ password: passwordDraft() }}
      save={save}
      stays
      onClose={onClose}
    >
      <Alert type="info" showIcon title={t('user.resetEffect')} style={{ marginBottom: 16 }} />
      <Field of={PasswordReset} name="password" extra={t('user.passwordHelp')}>
        <PasswordInput />
      </Field>
    </EditDrawer>
  )
}

const RoleNames = ({ roles }: Pick<UserListRow, 'roles'>) => {
  const lang = useLang()
  return roles.map(({ name, nameEn }) => (lang === 'en' && nameEn) || name).join(lang === 'en' ? ', ' : '、') || '–'
}

const columns = [
  column(UserListRow, 'id', { optional: true, tight: true }),
  column(UserListRow, 'username', { main: true }),
  column(UserListRow, 'nickname', { show: (name, { id, avatar }) => <UserLabel id={id} name={name} url={avatar} /> }),
  column(UserListRow, 'deptName'),
  column(UserListRow, 'roles', { show: (roles) => <RoleNames roles={roles} /> }),
  column(UserListRow, 'mobile'),
  column(UserListRow, 'status', { show: (_, user) => <StatusSwitch user={user} /> }),
  column(UserListRow, 'loginDate', { wideOnly: true }),
  column(UserListRow, 'userType', { word: 'userType', optional: true }),
  column(UserListRow, 'sex', { word: 'sex', optional: true }),
  column(UserListRow, 'createTime', { optional: true }),
]

const Filters = ({ narrow }: { narrow: boolean }) => {
  const { t } = useTranslation()
  return (
    <>
      <Filter of={UserFilters} name="keywords">
        <Input allowClear maxLength={30} placeholder={t('user.keywordsHint')} />
      </Filter>
      <Filter of={UserFilters} name="username">
        <Input allowClear maxLength={30} />
      </Filter>
      <Filter of={UserFilters} name="mobile">
        <Input allowClear maxLength={11} inputMode="tel" />
      </Filter>
      <Filter of={UserFilters} name="status">
        <StatusSelect allowClear />
      </Filter>
      <Filter of={UserFilters} name="pending">
        <YesNo />
      </Filter>
      {narrow ? (
        <Filter of={UserFilters} name="deptId">
          <DeptSelect allowClear />
        </Filter>
      ) : (
        // Keeps the department that is selected in the tree beside the list.
        <Form.Item name="deptId" hidden>
          <Input />
        </Form.Item>
      )}
      <DateRangeFilter label={t('user.created')} hint={t('user.createdHint')} />
    </>
  )
}

type Open = { what: OpenDialog; user: UserRow } | { what: 'new' } | { what: 'import' }

/** The open overlay, and behind it the approved users whose roles are still to be assigned, one after the other. */
const useOpened = () => {
  const [[open], setOpens] = useState<Open[]>([])
  return {
    open,
    show: (open: Open) => setOpens((now) => (now.length > 0 ? now : [open])),
    queue: (open: Open) => setOpens((now) => [...now, open]),
    close: () => setOpens(([, ...waiting]) => waiting),
  }
}

type OpenedProps = { open: Open; deptId: number | undefined; onClose: () => void }

const Opened = ({ open, deptId, onClose }: OpenedProps) => {
  switch (open.what) {
    case 'import':
      return <UserImportDrawer deptId={deptId} onClose={onClose} />
    case 'new':
      return <UserDrawer user={undefined} deptId={deptId} onClose={onClose} />
    case 'edit':
      return <UserDrawer user={open.user} deptId={deptId} onClose={onClose} />
    case 'roles':
      return <AssignRoles key={open.user.id} user={open.user} onClose={onClose} />
    case 'reset':
      return <ResetPassword user={open.user} onClose={onClose} />
    case 'detail':
      return <UserDetail user={open.user} onClose={onClose} />
  }
}

/** The selected department is in the address like every filter. */
const useDept = () => {
  const [params, setParams] = useSearchParams()
  const deptId = Number(params.get('deptId')) || undefined
  const choose = (id: number | undefined) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      next.delete('pageNo')
      if (id === undefined) next.delete('deptId')
      else next.set('deptId', String(id))
      return next
    })
  return [deptId, choose] as const
}

/** The list of jobs leads to an import that waits for its decision; closing the drawer removes it from the address. */
const useLedToImport = () => {
  const [params, setParams] = useSearchParams()
  const forget = () =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        next.delete('import')
        return next
      },
      { replace: true },
    )
  return [params.has('import'), forget] as const
}

export const UserPage = () => {
  const { t } = useTranslation()
  const wide = useWide()
  const [deptId, chooseDept] = useDept()
  const { open, show, queue, close: closeOpen } = useOpened()
  const myId = useSession(({ user }) => user?.id)
  const mayDelete = useHasPermission('system:user:delete')
  const mayCreate = useHasPermission('system:user:create')
  const mayImport = useHasPermission('system:user:import')
  const mayExport = useHasPermission('system:user:export')
  const [ledToImport, forgetImport] = useLedToImport()
  const filters = useMemo(() => <Filters narrow={!wide} />, [wide])
  const close = () => {
    closeOpen()
    if (ledToImport) forgetImport()
  }
  const shown: Open | undefined = open ?? (ledToImport && mayImport ? { what: 'import' } : undefined)
  const create = mayCreate && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ what: 'new' })}>
      {t('list.create')}
    </Button>
  )
  const toolbar = (
    <>
      {create}
      {mayImport && (
        <Button icon={<ImportOutlined />} onClick={() => show({ what: 'import' })}>
          {t('importing.import')}
        </Button>
      )}
    </>
  )
  return (
    <div className={wide ? 'with-side' : undefined}>
      {wide && <DeptFilterTree chosen={deptId} onChoose={chooseDept} />}
      <ListPage
        query={UserFilters}
        source={(query) => queryFor(users.page, { query: withCreated(query) })}
        columns={columns}
        rowKey={({ id }) => id}
        picking={bulkDeletion(mayDelete, {
          of: users.deleteList,
          name: userDisplayName,
          why: ({ id }: UserRow) => (id === myId ? t('user.notYourself') : undefined),
        })}
        filters={filters}
        left={toolbar}
        exporting={(query) => mayExport && <ExportButton calls={users} query={withCreated(query)} />}
        actions={(user) => (
          <UserRowActions
            user={user}
            onOpen={(action) => show({ what: action, user })}
            onApproved={(now) => queue({ what: 'roles', user: now })}
          />
        )}
        empty={{ text: t('user.none'), next: create }}
      />
      {shown && <Opened open={shown} deptId={deptId} onClose={close} />}
    </div>
  )
}
