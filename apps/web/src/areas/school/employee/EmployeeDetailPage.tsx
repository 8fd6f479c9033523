import type { EmployeeRow, ReachChannel } from '@tocsin/contract/school/employee'
import { employees } from '@tocsin/contract/school/employee-calls'
import { useQuery } from '@tanstack/react-query'
import { Flex, Tabs, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { inlineQuery, queryFor, useApiMutation } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { usePageTitle } from '#shell/page-title.ts'
import { DescriptionList } from '#ui/DescriptionList.tsx'
import { EnumLabel, EnumTag } from '#ui/EnumTag.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import { VerbButtons } from '#ui/workflow/VerbButtons.tsx'
import { WorkflowPage } from '#ui/workflow/WorkflowPage.tsx'
import { CodeDialog } from '../contact/CodeDialog.tsx'
import { AccountDrawer } from './AccountDrawer.tsx'
import { basicColumns, paperColumns } from './employee-columns.tsx'
import { EmployeeDrawer } from './EmployeeDrawer.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { LinkAccountDialog } from './LinkAccountDialog.tsx'
import { NominationList } from './NominationList.tsx'
import { useEmployeeVerbs } from './use-employee-verbs.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'

/** Asks, then removes the link of a person to the account, which stays. */
const useUnlinkAccount = ({ id, version, name, username, userId }: EmployeeRow) => {
  const { t } = useTranslation()
  const { mutate } = useApiMutation(employees.linkAccount)
  return async () => {
    const account = username ?? `#${userId}`
    const title = t('employee.unlinkAsk', { name, account })
    if (!(await confirm({ title, text: t('employee.unlinkEffect'), danger: true }))) return
    const onSuccess = () => notify.success(t('employee.done', { name, verb: t('employee.unlink') }))
    mutate({ body: { id, version, userId: null } }, { onSuccess })
  }
}

const QuietHours = ({ of: { quietFrom, quietTo } }: { of: ReachChannel }) => {
  const { t } = useTranslation()
  if (!quietFrom || !quietTo) return <>{t('employee.quietNone')}</>
  return <>{t('employee.quiet', { from: quietFrom, to: quietTo })}</>
}

const Channels = ({ channels }: { channels: readonly ReachChannel[] }) => {
  const { t } = useTranslation()
  if (channels.length === 0) return <Typography.Text type="secondary">{t('employee.noChannels')}</Typography.Text>
  return (
    <Flex vertical gap="small">
      {channels.map((channel, at) => (
        <Flex key={channel.channel} gap="middle" align="center">
          <Typography.Text strong style={{ minWidth: 120 }}>
            {at + 1}. <EnumLabel kind="reachChannel" value={channel.channel} />
          </Typography.Text>
          <Typography.Text type="secondary">
            <QuietHours of={channel} />
          </Typography.Text>
        </Flex>
      ))}
      <Typography.Text type="secondary">{t('employee.reachHelp')}</Typography.Text>
    </Flex>
  )
}

const Named = ({ id }: { id: number }) => {
  const query = useQuery(queryFor(employees.namedAs, { query: { id } }))
  return <QueryResult query={query}>{(found) => <NominationList nominations={found} />}</QueryResult>
}

const Actions = ({ person }: { person: EmployeeRow }) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'edit' | 'leave' | 'account' | 'link' | 'verify'>()
  const mayUpdate = useHasPermission('school:employee:update')
  const mayAccount = useHasPermission('school:employee:account')
  const verbsOf = useEmployeeVerbs(() => setOpen('leave'))
  const unlink = useUnlinkAccount(person)
  const send = useApiMutation(employees.sendMobileCode, { fieldsInline: true })
  const verify = useApiMutation(employees.verifyMobile, { fieldsInline: true, also: [employees.page] })
  const close = () => setOpen(undefined)
  const canChangeAccount = mayAccount && person.status !== 'LEFT'
  return (
    <>
      <VerbButtons
        verbs={[
          ...(mayUpdate ? [{ key: 'edit', label: t('list.edit'), run: () => setOpen('edit') }] : []),
          ...(canChangeAccount && person.userId === null
            ? [
                { key: 'account', label: t('employee.openAccount'), run: () => setOpen('account') },
                { key: 'link', label: t('employee.linkAccount'), run: () => setOpen('link') },
              ]
            : []),
          ...(canChangeAccount && person.userId !== null
            ? [{ key: 'unlink', label: t('employee.unlink'), run: () => void unlink() }]
            : []),
          ...(mayUpdate && person.mobile !== null && person.mobileVerifiedAt === null
            ? [{ key: 'verify', label: t('employee.verifyMobile'), run: () => setOpen('verify') }]
            : []),
          ...verbsOf(person).map(({ name, label, run }) => ({ key: name, label, run, danger: name === 'leave' })),
        ]}
      />
      {open === 'edit' && <EmployeeDrawer person={person} onClose={close} />}
      {open === 'leave' && <LeaveDialog person={person} onClose={close} />}
      {open === 'account' && <AccountDrawer person={person} onClose={close} />}
      {open === 'link' && <LinkAccountDialog person={person} onClose={close} />}
      {open === 'verify' && (
        <CodeDialog
          name={person.name}
          phone={person.mobile ?? ''}
          send={() => send.mutateAsync({ body: { id: person.id } })}
          verify={(code) => verify.mutateAsync({ body: { id: person.id, version: person.version, code } })}
          onClose={close}
        />
      )}
    </>
  )
}

const Detail = ({ person }: { person: EmployeeRow }) => {
  const { t } = useTranslation()
  const { name, kind, status, certDue, certExpiresOn, schoolName, deptName, post } = person
  const tab = (key: string, label: string, children: React.ReactNode) => ({ key, label, children })
  return (
    <WorkflowPage
      title={name}
      tags={
        <>
          <EnumTag kind="employeeStatus" value={status} />
          <ToneTag tone="calm">
            <EnumLabel kind="employeeKind" value={kind} />
          </ToneTag>
          {certDue && <ToneTag tone="wait">{t('employee.certSoon', { day: certExpiresOn ?? '' })}</ToneTag>}
        </>
      }
      subtitle={[schoolName ?? deptName, post].filter(Boolean).join(' · ')}
      actions={<Actions person={person} />}
    >
      <Tabs
        destroyOnHidden
        items={[
          tab('basics', t('employee.tabBasics'), <DescriptionList row={person} columns={basicColumns} />),
          tab('channels', t('employee.reach'), <Channels channels={person.channels} />),
          tab('papers', t('employee.papers'), <DescriptionList row={person} columns={paperColumns} />),
          tab('named', t('employee.tabNamed'), <Named id={person.id} />),
        ]}
      />
    </WorkflowPage>
  )
}

/** All data of one employee: channels, certificates, and responsibilities. */
export const EmployeeDetailPage = () => {
  const { id } = useParams()
  const query = useQuery(inlineQuery(employees.get, { query: { id: Number(id) } }))
  const name = query.data?.name
  usePageTitle(name ? { name, nameEn: name } : undefined)
  return <QueryResult query={query}>{(person) => <Detail person={person} />}</QueryResult>
}
