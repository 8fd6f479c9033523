import { type ComplianceRow, type HeadcountLine, headcounts } from '@tocsin/contract/security/headcount'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Card, Checkbox, Flex, Pagination, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { DayPicker } from '#ui/dates/DayPicker.tsx'
import { ExportButton } from '#ui/export/ExportButton.tsx'
import { SchoolSelect } from '#ui/SchoolSelect.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'

const lineKeys = { BASE: 'duty.lineBase', STUDENTS: 'duty.lineStudents', BOARDERS: 'duty.lineBoarders' } as const

const Line = ({ line }: { line: HeadcountLine }) => {
  const { t } = useTranslation()
  const { reason, actual, count, per } = line
  return <li>{t(lineKeys[reason], { actual, count, ...(per !== null && { per }) })}</li>
}

const School = ({ row }: { row: ComplianceRow }) => {
  const { t, i18n } = useTranslation()
  const { rule, required, planned, present, lines, schoolName } = row
  const isShort = planned < required || present < required
  const name = rule && (i18n.language === 'en' ? rule.nameEn : rule.name)
  return (
    <details>
      <summary className="duty-summary">
        <ToneTag tone={isShort ? 'wait' : 'done'}>{`${required} / ${planned} / ${present}`}</ToneTag>
        <span>
          {name
            ? t('duty.complianceOf', { school: schoolName, rule: name, required, planned, present })
            : `${schoolName}: ${t('duty.noRule')}`}
        </span>
        <Typography.Link>{t('duty.showLines')}</Typography.Link>
      </summary>
      <ul>
        {lines.map((line) => (
          <Line key={line.reason} line={line} />
        ))}
        {rule && <li>{t('duty.ruleSince', { date: rule.effectiveFrom })}</li>}
      </ul>
    </details>
  )
}

/** Schools of a page. */
const SHOWN = 5

/** Required, planned and present guards of each school on one day. */
export const ComplianceStrip = () => {
  const { t } = useTranslation()
  const [schoolId, setSchoolId] = useState<number>()
  const [day, setDay] = useState<string | null>(null)
  const [isShortOnly, setShortOnly] = useState(false)
  const [pageNo, setPageNo] = useState(1)
  const mayExport = useHasPermission('security:post:export')
  const filter = {
    ...(isShortOnly && { short: true }),
    ...(schoolId !== undefined && { schoolId }),
    ...(day && { day }),
  }
  const query = { ...filter, pageNo, pageSize: SHOWN }
  const { data } = useQuery({
    ...queryFor(headcounts.compliance, { query }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card size="small" style={{ marginBlockEnd: 16 }}>
      <Flex vertical gap="small">
        <Flex gap="small" align="center" wrap>
          <strong>{t('duty.compliance')}</strong>
          <SchoolSelect
            value={schoolId as number}
            onChange={(id) => {
              setSchoolId(id)
              setPageNo(1)
            }}
            placeholder={t('duty.allSchools')}
            aria-label={t('duty.allSchools')}
            style={{ minWidth: 200 }}
          />
          <div style={{ width: 160 }}>
            <DayPicker value={day} onChange={setDay} />
          </div>
          <Checkbox
            checked={isShortOnly}
            onChange={({ target }) => {
              setShortOnly(target.checked)
              setPageNo(1)
            }}
          >
            {t('duty.shortOnly')}
          </Checkbox>
          <Typography.Text type="secondary">{t('duty.staffing')}</Typography.Text>
          {mayExport && <ExportButton calls={headcounts} query={filter} />}
        </Flex>
        {(data?.list ?? []).map((row) => (
          <School key={row.schoolId} row={row} />
        ))}
        {data?.total === 0 && (
          <Typography.Text type="secondary">
            {t(isShortOnly ? 'duty.noneShort' : 'duty.noComplianceSchools')}
          </Typography.Text>
        )}
        {data && data.total > SHOWN && (
          <Pagination
            size="small"
            current={pageNo}
            pageSize={SHOWN}
            total={data.total}
            showSizeChanger={false}
            onChange={setPageNo}
          />
        )}
      </Flex>
    </Card>
  )
}
