import { warnClasses } from '@tocsin/contract/alarm-class'
import type { ProcedureCoverage } from '@tocsin/contract/device/procedure/procedure'
import { procedures } from '@tocsin/contract/device/procedure/procedure-calls'
import { PROCEDURE_CREATE } from '@tocsin/contract/device/procedure/procedure-machine'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { inlineQuery } from '#api/query.ts'
import { useHasPermission } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { ToneTag } from '#ui/tone/ToneTag.tsx'
import './procedure.css'

const levels = [1, 2, 3, 4] as const
type CoverageCell = ProcedureCoverage['cells'][number]

const Cell = ({ cell }: { cell: CoverageCell }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const mayCreate = useHasPermission(PROCEDURE_CREATE)
  const { procedureId, name, nameEn, class: of, level } = cell
  if (procedureId !== null) return <Link to={`/device/procedure/${procedureId}`}>{lang === 'en' ? nameEn : name}</Link>
  const gap = <ToneTag tone="wait">{t('procedure.gap')}</ToneTag>
  return mayCreate ? (
    <Link
      to={`/device/procedure/new?kind=RESPONSE&class=${of}&level=${level}`}
      aria-label={t('procedure.fillGap', {
        class: enumLabel('warnClass', of, lang),
        level: enumLabel('level', level, lang),
      })}
    >
      {gap}
    </Link>
  ) : (
    gap
  )
}

/** Which class and level has a plan in force at every kind of place; a gap leads to a new plan. */
export const CoverageGrid = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const query = useQuery(inlineQuery(procedures.coverage))
  return (
    <QueryResult query={query}>
      {({ cells }) => (
        <div className="procedure-grid-wrap">
          <table className="procedure-grid" aria-label={t('procedure.coverage')}>
            <thead>
              <tr>
                <th scope="col">{t('procedure.class')}</th>
                {levels.map((level) => (
                  <th key={level} scope="col">
                    {enumLabel('level', level, lang)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {warnClasses.map((of) => (
                <tr key={of}>
                  <th scope="row">{enumLabel('warnClass', of, lang)}</th>
                  {cells
                    .filter((cell) => cell.class === of)
                    .map((cell) => (
                      <td key={cell.level}>
                        <Cell cell={cell} />
                      </td>
                    ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </QueryResult>
  )
}
