import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Lucene in a process of its own: a line of fields parted by tabs asks, a line of JSON answers, and
 * times are taken in here.
 *
 *     fill  lines.tsv  970000  id bigint  task_id text ...    ->  {"version": "10.6.0"}
 *     ask   text  id|column  asc|desc  skip  count  = column value value ...  ~ column text ...
 *                                                             ->  {"ms": 0.2, "total": 7, "ids": [...]}
 *
 * A text is contained where its grams follow one another: each searched column has a field of its
 * characters, one of its pairs and one of its triples; only triples have positions. Documents lie in
 * the default order, newest first. Some are deleted at the end, as in a table that changes: counts
 * of a term cannot be read off then.
 */
class Lucene {
    private static final List<String> SEARCHED = List.of("joined", "user_email", "project_name");
    private static final int DELETED = 100;
    private static final int WARM_UPS = 4_000;
    private static final String[] GRAMS = {"", ".1", ".2", ".3"};

    private final IndexSearcher searcher;
    private final List<String> texts = new ArrayList<>();

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Lucene lucene = null;
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            String[] job = line.split("\t", -1);
            if (job[0].equals("fill")) {
                lucene = new Lucene(folder, job);
                System.out.println("{\"version\": \"" + org.apache.lucene.util.Version.LATEST + "\"}");
            } else {
                System.out.println(lucene.answer(job));
            }
            System.out.flush();
        }
    }

    private Lucene(Path folder, String[] job) throws IOException {
        var directory = new MMapDirectory(folder);
        Path lines = Path.of(job[1]);
        int count = Integer.parseInt(job[2]);
        String[] columns = Arrays.copyOfRange(job, 3, job.length);
        if (!DirectoryReader.indexExists(directory)) {
            fill(directory, lines, count, columns);
        }
        var reader = DirectoryReader.open(directory);
        if (reader.numDocs() != count || reader.numDeletedDocs() == 0) {
            throw new IOException(reader.numDocs() + " of " + count + " documents");
        }
        searcher = new IndexSearcher(reader);
        // Each question has to be answered again.
        searcher.setQueryCache(null);
        warmUp(lines);
    }

    private static void fill(MMapDirectory directory, Path lines, int count, String[] columns)
            throws IOException {
        var config = new IndexWriterConfig();
        config.setIndexSort(new Sort(by("id", true)));
        config.setRAMBufferSizeMB(512);
        try (var writer = new IndexWriter(directory, config);
                var reader = Files.newBufferedReader(lines)) {
            int at = 0;
            for (String line; (line = reader.readLine()) != null; at++) {
                String[] values = line.split("\t", -1);
                writer.addDocument(document(columns, values, false));
                // Deleted below; they lie all over the index.
                if (at % Math.max(1, count / DELETED) == 0) {
                    writer.addDocument(document(columns, values, true));
                }
            }
            writer.forceMerge(1);
            writer.commit();
            writer.deleteDocuments(new Term("extra", "yes"));
        }
    }

    private static Document document(String[] columns, String[] values, boolean isExtra) {
        var document = new Document();
        for (int i = 0; i < columns.length; i++) {
            String[] column = columns[i].split(" ");
            String name = column[0];
            String value = values[i];
            if (column[1].equals("bigint")) {
                document.add(new LongField(name, Long.parseLong(value), Field.Store.NO));
            } else if (SEARCHED.contains(name)) {
                for (int size = 1; size <= 3; size++) {
                    document.add(new Field(name + GRAMS[size], new Grams(value, size), gramType(size)));
                }
            } else {
                document.add(new StringField(name, value, Field.Store.NO));
            }
        }
        if (isExtra) {
            document.add(new StringField("extra", "yes", Field.Store.NO));
        }
        return document;
    }

    private static FieldType gramType(int size) {
        var type = new FieldType();
        type.setOmitNorms(true);
        type.setIndexOptions(
                size == 3 ? IndexOptions.DOCS_AND_FREQS_AND_POSITIONS : IndexOptions.DOCS);
        type.freeze();
        return type;
    }

    /** Questions of each kind, for the compiler: pieces of texts that are there. */
    private void warmUp(Path lines) throws IOException {
        try (var some = Files.lines(lines)) {
            some.limit(WARM_UPS).forEach(line -> texts.add(line.substring(line.lastIndexOf('\t') + 1)));
        }
        var random = new Random(5);
        for (int i = 0; i < WARM_UPS; i++) {
            String text = texts.get(random.nextInt(texts.size()));
            int length = Math.min(text.length(), 1 + i % 6);
            int from = random.nextInt(text.length() - length + 1);
            String column = List.of("id", "id", "date_queued").get(i % 3);
            String piece = i % 7 == 0 ? "qqzx" : text.substring(from, from + length);
            answer(new String[] {"ask", piece, column, i % 2 == 0 ? "asc" : "desc", "0", "10"});
        }
    }

    private String answer(String[] job) throws IOException {
        long started = System.nanoTime();
        var query = new BooleanQuery.Builder();
        if (!job[1].isEmpty()) {
            query.add(contains("joined", job[1]), BooleanClause.Occur.FILTER);
        }
        for (int i = 6; i < job.length; ) {
            int end = i + 2;
            while (end < job.length && !job[end].equals("=") && !job[end].equals("~")) {
                end++;
            }
            var values = Arrays.stream(job, i + 2, end).toList();
            query.add(
                    job[i].equals("=") ? oneOf(job[i + 1], values) : contains(job[i + 1], values.get(0)),
                    BooleanClause.Occur.FILTER);
            i = end;
        }
        Query built = query.build();
        if (built.equals(new BooleanQuery.Builder().build())) {
            built = MatchAllDocsQuery.INSTANCE;
        } else if (((BooleanQuery) built).clauses().size() == 1) {
            built = ((BooleanQuery) built).clauses().get(0).query();
        }
        int skip = Integer.parseInt(job[4]);
        int wanted = Integer.parseInt(job[5]);
        boolean descending = job[3].equals("desc");
        int total = searcher.count(built);
        int from = skip < total ? skip : Math.max(0, (total - 1) / wanted * wanted);
        var sort = job[2].equals("id")
                ? new Sort(by("id", descending))
                : new Sort(by(job[2], descending), by("id", descending));
        long[] ids = total == 0 ? new long[0] : page(built, sort, from, wanted);
        double ms = (System.nanoTime() - started) / 1e6;
        return "{\"ms\": " + ms + ", \"total\": " + total + ", \"ids\": " + Arrays.toString(ids) + "}";
    }

    private long[] page(Query query, Sort sort, int from, int wanted) throws IOException {
        var manager = new TopFieldCollectorManager(sort, from + wanted, null, 1);
        ScoreDoc[] found = searcher.search(query, manager).scoreDocs;
        long[] ids = new long[Math.max(0, found.length - from)];
        for (int i = 0; i < ids.length; i++) {
            int doc = found[from + i].doc;
            for (var leaf : searcher.getIndexReader().leaves()) {
                if (doc < leaf.docBase || doc >= leaf.docBase + leaf.reader().maxDoc()) {
                    continue;
                }
                SortedNumericDocValues values = leaf.reader().getSortedNumericDocValues("id");
                values.advanceExact(doc - leaf.docBase);
                ids[i] = values.nextValue();
            }
        }
        return ids;
    }

    private static SortField by(String column, boolean descending) {
        return new SortedNumericSortField(column, SortField.Type.LONG, descending);
    }

    private static Query oneOf(String column, List<String> values) {
        return values.size() == 1
                ? new TermQuery(new Term(column, values.get(0)))
                : new TermInSetQuery(column, values.stream().map(BytesRef::new).toList());
    }

    private static Query contains(String column, String text) {
        List<String> characters = charactersOf(text);
        int size = Math.min(3, characters.size());
        List<String> grams = gramsOf(characters, size);
        if (grams.size() == 1) {
            return new TermQuery(new Term(column + GRAMS[size], grams.get(0)));
        }
        // Every third gram says all, and the last one.
        var phrase = new PhraseQuery.Builder();
        for (int i = 0; i < grams.size(); i++) {
            if (i % 3 == 0 || i == grams.size() - 1) {
                phrase.add(new Term(column + GRAMS[size], grams.get(i)), i);
            }
        }
        return phrase.build();
    }

    private static List<String> charactersOf(String text) {
        return text.codePoints().mapToObj(Character::toString).toList();
    }

    private static List<String> gramsOf(List<String> characters, int size) {
        List<String> grams = new ArrayList<>();
        for (int i = 0; i + size <= characters.size(); i++) {
            grams.add(String.join("", characters.subList(i, i + size)));
        }
        return grams;
    }

    private static final class Grams extends TokenStream {
        private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
        private final List<String> grams;
        private int next = 0;

        Grams(String text, int size) {
            grams = gramsOf(charactersOf(text), size);
        }

        @Override
        public boolean incrementToken() {
            if (next == grams.size()) {
                return false;
            }
            clearAttributes();
            term.setEmpty().append(grams.get(next++));
            return true;
        }
    }
}
