import { AnnouncementDraft, announcementTargets } from '@tocsin/contract/announcement/announcement'
import { announcements } from '@tocsin/contract/announcement/announcement-calls'
import { roles } from '@tocsin/contract/access/rights/role'
import { schools } from '@tocsin/contract/school/school'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Form, Radio, Select, type SelectProps, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { DeptsSelect } from '#areas/notices/receivers.tsx'
import { errorText } from '#api/error-display.ts'
import { inlineQuery, queryFor } from '#api/query.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'

const toOptions = (rows: readonly { id: number; name: string }[] | undefined) =>
  (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))

const SchoolsSelect = (rest: SelectProps<number[]>) => {
  const { t } = useTranslation()
  const { data, isFetching } = useQuery({ ...queryFor(schools.simpleList), staleTime: 60_000 })
  return (
    <Select<number[]>
      mode="multiple"
      allowClear
      loading={isFetching}
      placeholder={t('list.choose')}
      options={toOptions(data)}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}

const RolesSelect = (rest: SelectProps<number[]>) => {
  const { t } = useTranslation()
  const { data, isFetching } = useQuery({ ...queryFor(roles.simpleList), staleTime: 60_000 })
  return (
    <Select<number[]>
      mode="multiple"
      allowClear
      loading={isFetching}
      placeholder={t('announcement.chooseRoles')}
      options={toOptions(data)}
      showSearch={{ optionFilterProp: 'label' }}
      {...rest}
    />
  )
}

type Ids = number[] | undefined

/** How many people the chosen scope reaches. */
const AudienceCount = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const target = Form.useWatch('target') as 'ALL' | 'SCOPE' | undefined
  const named = {
    deptIds: Form.useWatch('deptIds') as Ids,
    schoolIds: Form.useWatch('schoolIds') as Ids,
    roleIds: Form.useWatch('roleIds') as Ids,
  }
  const ids = Object.fromEntries(Object.entries(named).filter(([, list]) => list?.length)) as Partial<typeof named>
  const isChosen = target === 'ALL' || Object.keys(ids).length > 0
  const { data, error } = useQuery({
    ...inlineQuery(announcements.audience, { query: target === 'ALL' ? { target } : { target: 'SCOPE', ...ids } }),
    enabled: target !== undefined && isChosen,
    placeholderData: keepPreviousData,
  })
  if (!isChosen) return <Typography.Text type="secondary">{t('announcement.audienceNone')}</Typography.Text>
  if (error) return <Typography.Text type="warning">{errorText(error, lang)}</Typography.Text>
  return (
    <Typography.Text strong role="status">
      {data ? t('announcement.audience', data) : ' '}
    </Typography.Text>
  )
}

/** Whom it is for, with the number of people. */
export const ScopeFields = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const target: unknown = Form.useWatch('target')
  return (
    <>
      <Typography.Title level={5}>{t('announcement.scope')}</Typography.Title>
      <Field of={AnnouncementDraft} name="target" {...(target === 'ALL' && { extra: t('announcement.allHelp') })}>
        <Radio.Group options={enumOptions('announcementTarget', announcementTargets.toReversed(), lang)} />
      </Field>
      {target !== 'ALL' && (
        <>
          <Field of={AnnouncementDraft} name="deptIds" extra={t('announcement.deptsHelp')}>
            <DeptsSelect />
          </Field>
          <Field of={AnnouncementDraft} name="schoolIds">
            <SchoolsSelect />
          </Field>
          <Field of={AnnouncementDraft} name="roleIds" extra={t('announcement.rolesHelp')}>
            <RolesSelect />
          </Field>
        </>
      )}
      <Form.Item>
        <AudienceCount />
      </Form.Item>
    </>
  )
}
