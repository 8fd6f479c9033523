import { ReportDraft, reports } from '@tocsin/contract/insight/report'
import { type ReportSubjectType, reportSubjectTypes } from '@tocsin/contract/insight/report-labels'
import { reportKinds } from '@tocsin/contract/insight/report-period'
import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'

/** The subject and the kind of period: what a report is about. */
export const SubjectFields = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const form = Form.useFormInstance()
  const chosen: ReportSubjectType | undefined = Form.useWatch('subjectType', form)
  const subjectType = chosen ?? 'SCHOOL'
  const { data = [], isFetching } = useQuery({
    ...queryFor(reports.subjects, { query: { subjectType } }),
    staleTime: 60_000,
  })
  return (
    <>
      <Field of={ReportDraft} name="subjectType">
        <Select
          options={enumOptions('reportSubjectType', reportSubjectTypes, lang)}
          onChange={() => form.setFieldValue('subjectId', undefined)}
        />
      </Field>
      <Field of={ReportDraft} name="subjectId" extra={t('report.subjectHelp')}>
        <Select
          loading={isFetching}
          placeholder={t('list.choose')}
          options={data.map(({ id, name }) => ({ value: id, label: name }))}
          showSearch={{ optionFilterProp: 'label' }}
        />
      </Field>
      <Field of={ReportDraft} name="kind">
        <Select options={enumOptions('reportCycle', reportKinds, lang)} />
      </Field>
    </>
  )
}
